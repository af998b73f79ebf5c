import { z } from "zod";
import { trustFilterSchema } from "@/lib/engine/labels/trust-filter";
import { systemClock } from "@/server/clock";
import { getNames, getTokenNames } from "@/server/store/people/people";
import { listTrust, trustCursorSchema } from "@/server/store/trust/log";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { createProcedure } from "@/server/trpc/init";

const input = z.strictObject({
  filter: trustFilterSchema,
  cursor: trustCursorSchema.nullish(),
  /** Sent by the client with each page. */
  direction: z.literal("forward").optional(),
  limit: z.number().int().min(1).max(200).default(100),
});

/** Origins of a tainted or reviewed value. */
const sourcesSchema = z.array(z.string()).catch([]);

const idsOf = (principals: readonly string[], kind: "user:" | "token:"): string[] =>
  principals.flatMap((principal) => (principal.startsWith(kind) ? [principal.slice(kind.length)] : []));

export const trustList = createProcedure("trust.read")
  .input(input)
  .query(async ({ ctx: { workspaceId }, input: { filter, cursor, limit } }) => {
    const page = await listTrust(workspaceId, filter, { cursor: cursor ?? null, limit, nowMs: systemClock.now() });
    const principals = page.events.flatMap(({ principal, detail }) => [principal, ...sourcesSchema.parse(detail["provenance"])]);
    const [people, tokens] = await Promise.all([
      getNames(workspaceId, idsOf(principals, "user:")),
      getTokenNames(workspaceId, idsOf(principals, "token:")),
    ]);

    return { ...page, names: { ...people, ...tokens }, ownLedger: getWorkspaceLedgerId(workspaceId) };
  });
