import { z } from "zod";
import { getArrivalPlace } from "@/lib/graph/triggers/arrival";
import { mailCursorSchema, type TriggerFault } from "@/lib/graph/triggers/mailbox";
import { resourceCursorSchema } from "@/lib/graph/triggers/resource";
import type { Json } from "@/lib/json";
import type { Clock } from "@/server/clock";
import type { Vault } from "@/server/security/vault";
import { getDatabase, inTransaction, type Transaction } from "@/server/db/client";
import { Prisma } from "@/server/db/generated/client";
import type { TriggerPlace } from "./events";

/** `of`: the digest of the source. */
export type Cursor<A> = { readonly of: string; readonly at: A };
type Source<A> = { readonly kind: "email" | "mcp_resource"; readonly at: z.ZodType<A> };

export const MAILBOX = { kind: "email", at: mailCursorSchema } as const;
export const RESOURCE = { kind: "mcp_resource", at: resourceCursorSchema } as const;

export const readCursor = <A>({ at }: Pick<Source<A>, "at">, stored: unknown): Cursor<A> | null =>
  z.strictObject({ of: z.string(), at }).safeParse(stored).data ?? null;

export type Due<A> = TriggerPlace & { readonly dueAt: Date; readonly cursor: Cursor<A> | null };

const MOST_AT_ONCE = 8;

export const claimDue = async <A>(source: Source<A>, nowMs: number, untilMs: number): Promise<readonly Due<A>[]> => {
  const { kind } = source;
  const rows = await getDatabase().graphTrigger.findMany({
    where: { kind, dueAt: { lte: new Date(nowMs) } },
    orderBy: { dueAt: "asc" },
    take: MOST_AT_ONCE,
    select: { workspaceId: true, graphId: true, trigger: true, dueAt: true, cursor: true },
  });
  const dueAt = new Date(untilMs);
  const claimed: Due<A>[] = [];
  for (const { dueAt: was, cursor, ...place } of rows) {
    const { count } = await getDatabase().graphTrigger.updateMany({ where: { ...place, kind, dueAt: was }, data: { dueAt } });
    if (count === 1) claimed.push({ ...place, dueAt, cursor: readCursor(source, cursor) });
  }

  return claimed;
};

export type Found<A> = {
  readonly cursor: Cursor<A> | null;
  readonly arrivals: readonly Json[];
  readonly fault: TriggerFault | null;
  readonly atMs: number;
  readonly nextMs: number;
};

type Storing = { readonly vault: Vault; readonly clock: Clock };

type Event = TriggerPlace & { readonly id: string; readonly kind: string; readonly receivedAt: Date };

const insertArrival = async (tx: Transaction, vault: Vault, event: Event, arrival: Json): Promise<void> => {
  const body = vault.sealCommand(event.workspaceId, getArrivalPlace(event.id), arrival);
  await tx.triggerEvent.create({ data: { ...event, body: new Uint8Array(body) } });
};

/** Stores nothing once the claim is lost. */
export const storeFound = <A extends Prisma.InputJsonValue>(
  { vault, clock }: Storing,
  { kind }: Source<A>,
  { workspaceId, graphId, trigger, dueAt, cursor: before }: Due<A>,
  { cursor, arrivals, fault, atMs, nextMs }: Found<A>,
): Promise<boolean> =>
  inTransaction(async (tx) => {
    const place = { workspaceId, graphId, trigger };
    const readAt = new Date(atMs);
    const { count } = await tx.graphTrigger.updateMany({
      where: { ...place, kind, dueAt, cursor: { equals: before ?? Prisma.AnyNull } },
      data: { dueAt: new Date(nextMs), fault, ...(cursor ? { cursor, readAt } : {}) },
    });
    if (count !== 1) return false;
    for (const arrival of arrivals) await insertArrival(tx, vault, { ...place, kind, id: clock.id(), receivedAt: readAt }, arrival);

    return true;
  });

const LEAST_GAP_MS = 3_000;

/** Keeps to 20 reads a minute, and to the rest after a fault. */
export const hastenReading = async (workspaceId: string, of: string, nowMs: number): Promise<void> => {
  const where = { workspaceId, kind: RESOURCE.kind, fault: null, cursor: { path: ["of"], equals: of } };
  const rows = await getDatabase().graphTrigger.findMany({
    where,
    select: { graphId: true, trigger: true, dueAt: true, readAt: true },
  });
  for (const { readAt, dueAt: was, ...place } of rows) {
    const dueAt = new Date(Math.max(nowMs, (readAt?.getTime() ?? 0) + LEAST_GAP_MS));
    if (was && dueAt < was) await getDatabase().graphTrigger.updateMany({ where: { ...where, ...place, dueAt: was }, data: { dueAt } });
  }
};
