import { z } from "zod";
import { trustFilterSchema } from "@/lib/engine/trust-filter";
import { systemClock } from "@/server/clock";
import { namesOf } from "@/server/store/people";
import { listTrust, trustCursorSchema } from "@/server/store/trust-log";
import { workspaceLedgerId } from "@/lib/engine/workspace-ledger";
import { procedure } from "@/server/trpc/init";

const input = z.strictObject({
  filter: trustFilterSchema,
  cursor: trustCursorSchema.nullish(),
  /** Sent along by the client with each page; there is one direction. */
  direction: z.literal("forward").optional(),
  limit: z.number().int().min(1).max(200).default(100),
});

const PERSON = "user:";

/** A page of the trust log, newest first, with the names of the people in it. */
export const trustList = procedure("trust.read")
  .input(input)
  .query(async ({ ctx: { workspaceId }, input: { filter, cursor, limit } }) => {
    const page = await listTrust(workspaceId, filter, { cursor: cursor ?? null, limit, nowMs: systemClock.now() });
    const people = page.events.flatMap(({ principal }) => (principal.startsWith(PERSON) ? [principal.slice(PERSON.length)] : []));

    return { ...page, names: await namesOf(workspaceId, people), ownLedger: workspaceLedgerId(workspaceId) };
  });
