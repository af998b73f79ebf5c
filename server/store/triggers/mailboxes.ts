import { z } from "zod";
import { getArrivalPlace } from "@/lib/graph/triggers/arrival";
import type { MailArrival } from "@/lib/graph/triggers/mail";
import { mailCursorSchema, type TriggerFault } from "@/lib/graph/triggers/mailbox";
import type { Clock } from "@/server/clock";
import type { Vault } from "@/server/security/vault";
import { getDatabase, inTransaction, type Transaction } from "@/server/db/client";
import { Prisma } from "@/server/db/generated/client";
import type { TriggerPlace } from "./events";

export const cursorSchema = z.strictObject({ of: z.string(), at: mailCursorSchema });
type Cursor = z.infer<typeof cursorSchema>;

export type DueMailbox = TriggerPlace & { readonly dueAt: Date; readonly cursor: Cursor | null };

const MOST_AT_ONCE = 8;

export const claimMailboxes = async (nowMs: number, untilMs: number): Promise<readonly DueMailbox[]> => {
  const rows = await getDatabase().graphTrigger.findMany({
    where: { kind: "email", dueAt: { lte: new Date(nowMs) } },
    orderBy: { dueAt: "asc" },
    take: MOST_AT_ONCE,
    select: { workspaceId: true, graphId: true, trigger: true, dueAt: true, cursor: true },
  });
  const dueAt = new Date(untilMs);
  const claimed: DueMailbox[] = [];
  for (const { dueAt: was, cursor, ...place } of rows) {
    const { count } = await getDatabase().graphTrigger.updateMany({ where: { ...place, kind: "email", dueAt: was }, data: { dueAt } });
    if (count === 1) claimed.push({ ...place, dueAt, cursor: cursorSchema.safeParse(cursor).data ?? null });
  }

  return claimed;
};

type Found = {
  readonly cursor: Cursor | null;
  readonly mails: readonly MailArrival[];
  readonly fault: TriggerFault | null;
  readonly atMs: number;
  readonly nextMs: number;
};

type Storing = { readonly vault: Vault; readonly clock: Clock };

const insertMail = async (
  tx: Transaction,
  vault: Vault,
  { workspaceId, graphId, trigger }: TriggerPlace,
  arrival: MailArrival,
  { id, atMs }: { readonly id: string; readonly atMs: number },
): Promise<void> => {
  const body = vault.sealCommand(workspaceId, getArrivalPlace(id), arrival);
  await tx.triggerEvent.create({
    data: { workspaceId, graphId, trigger, id, kind: "email", body: new Uint8Array(body), receivedAt: new Date(atMs) },
  });
};

/** Stores nothing once the claim is lost. */
export const storeMails = (
  { vault, clock }: Storing,
  { workspaceId, graphId, trigger, dueAt, cursor: before }: DueMailbox,
  { cursor, mails, fault, atMs, nextMs }: Found,
): Promise<boolean> =>
  inTransaction(async (tx) => {
    const place = { workspaceId, graphId, trigger };
    const { count } = await tx.graphTrigger.updateMany({
      where: { ...place, kind: "email", dueAt, cursor: { equals: before ?? Prisma.AnyNull } },
      data: { dueAt: new Date(nextMs), fault, ...(cursor ? { cursor, readAt: new Date(atMs) } : {}) },
    });
    if (count === 1) for (const mail of mails) await insertMail(tx, vault, place, mail, { id: clock.id(), atMs });

    return count === 1;
  });
