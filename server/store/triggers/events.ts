import { z } from "zod";
import { getMailKey } from "@/lib/graph/triggers/mail";
import { isTerminal, RUN_STATUSES } from "@/lib/engine/event";
import { refusalCodeSchema, type RefusalCode } from "@/lib/refusal";
import { getDatabase, runInWorkspace, scopeToWorkspace, type Transaction } from "@/server/db/client";
import type { Prisma } from "@/server/db/generated/client";
import { notify } from "@/server/store/notify";
import { openLeaderLock, type Turn } from "@/server/store/leader-lock";

const CHANNEL = "countersign_trigger";

const MOST_PENDING = 200;
export const MOST_QUEUED = 100;
const AT_ONCE = 50;

export type TriggerPlace = { readonly workspaceId: string; readonly graphId: string; readonly trigger: string };

/** @returns false when too many wait */
export const insertArrival = async (
  { workspaceId, graphId, trigger }: TriggerPlace,
  id: string,
  body: Uint8Array<ArrayBuffer>,
): Promise<boolean> => {
  const inserted = await runInWorkspace(
    workspaceId,
    (tx) => tx.$executeRaw`
      insert into trigger_event (workspace_id, id, graph_id, trigger, body)
      select ${workspaceId}::uuid, ${id}::uuid, ${graphId}::uuid, ${trigger}, ${body}
      where (select count(*) from trigger_event where workspace_id = ${workspaceId}::uuid and status = 'pending') < ${MOST_PENDING}`,
  );
  if (inserted === 1) await notify(CHANNEL, "");

  return inserted === 1;
};

const statusSchema = z.enum(["pending", "queued", "accepted", "started", "refused"]);
export type EventStatus = z.infer<typeof statusSchema>;

export const findArrivalAnswer = async (
  workspaceId: string,
  id: string,
): Promise<{ readonly status: EventStatus; readonly code: RefusalCode | null; readonly runId: string | null } | null> => {
  const select = { status: true, code: true, runId: true };
  const row = await scopeToWorkspace(workspaceId).triggerEvent.findFirst({
    where: { workspaceId, id, status: { not: "pending" } },
    select,
  });

  return row && { status: statusSchema.parse(row.status), code: refusalCodeSchema.nullable().parse(row.code), runId: row.runId };
};

export const eventCursorSchema = z.string().regex(/^\d{1,15}\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);

const LISTED = { id: true, trigger: true, status: true, code: true, eventId: true, runId: true, receivedAt: true } as const;

export const listEventsOf = async (
  workspaceId: string,
  graphId: string,
  { cursor, limit }: { readonly cursor: string | null; readonly limit: number },
) => {
  const [ms = "", id = ""] = cursor?.split(".") ?? [];
  const at = new Date(Number(ms));
  const older = cursor === null ? {} : { OR: [{ receivedAt: { lt: at } }, { receivedAt: at, id: { lt: id } }] };
  const rows = await scopeToWorkspace(workspaceId).triggerEvent.findMany({
    where: { workspaceId, graphId, ...older },
    orderBy: [{ receivedAt: "desc" }, { id: "desc" }],
    take: limit + 1,
    select: LISTED,
  });
  const events = rows.slice(0, limit).map(({ status, code, receivedAt, ...row }) => ({
    ...row,
    status: statusSchema.parse(status),
    code: refusalCodeSchema.nullable().parse(code),
    receivedAt: receivedAt.getTime(),
  }));
  const last = events.at(-1);

  return { events, nextCursor: rows.length > limit && last ? `${last.receivedAt}.${last.id}` : null };
};

const KINDS = z.enum(["webhook", "schedule", "email", "mcp_resource", "run_end"]);

export type StoredEvent = TriggerPlace & {
  readonly id: string;
  readonly kind: z.infer<typeof KINDS>;
  readonly status: EventStatus;
  readonly body: Uint8Array;
  readonly eventId: string | null;
  readonly runId: string | null;
  readonly receivedMs: number;
};

const STORED = {
  workspaceId: true,
  id: true,
  graphId: true,
  trigger: true,
  kind: true,
  status: true,
  body: true,
  eventId: true,
  runId: true,
  receivedAt: true,
} as const;

type Where = Partial<TriggerPlace> & { readonly status: Exclude<EventStatus, "started" | "refused"> };

const listEvents = async (client: Pick<Transaction, "triggerEvent">, where: Where): Promise<readonly StoredEvent[]> => {
  const rows = await client.triggerEvent.findMany({
    where,
    orderBy: [{ receivedAt: "asc" }, { id: "asc" }],
    take: AT_ONCE,
    select: STORED,
  });

  return rows.map(({ receivedAt, kind, status: now, ...row }) => ({
    ...row,
    kind: KINDS.parse(kind),
    status: statusSchema.parse(now),
    receivedMs: receivedAt.getTime(),
  }));
};

/** Oldest first. Runner's role only, like all below. */
export const listOpenEvents = (status: Where["status"]): Promise<readonly StoredEvent[]> => listEvents(getDatabase(), { status });

const placeOf = ({ workspaceId, graphId, trigger }: TriggerPlace) => ({ workspaceId, graphId, trigger });

export const isKnownEvent = async (tx: Transaction, event: StoredEvent, eventId: string): Promise<boolean> => {
  const same = event.kind === "email" ? { startsWith: getMailKey(eventId) } : eventId;

  return (await tx.triggerEvent.count({ where: { ...placeOf(event), eventId: same, id: { not: event.id } } })) > 0;
};

export const countQueued = (tx: Transaction, place: TriggerPlace): Promise<number> =>
  tx.triggerEvent.count({ where: { ...placeOf(place), status: "queued" } });

export const listQueued = (tx: Transaction, place: TriggerPlace): Promise<readonly StoredEvent[]> =>
  listEvents(tx, { ...placeOf(place), status: "queued" });

const MOST_CHAINED = 8;

export const isLongChain = async (workspaceId: string, runId: string): Promise<boolean> => {
  let from: string | null = runId;
  for (let length = 0; length < MOST_CHAINED; length += 1) {
    const where: Prisma.TriggerEventWhereInput = { workspaceId, runId: from, kind: "run_end" };
    from = (await getDatabase().triggerEvent.findFirst({ where, select: { eventId: true } }))?.eventId ?? null;
    if (from === null) return false;
  }

  return true;
};

const ENDED = RUN_STATUSES.filter(isTerminal);

/** Null: a run about to start. */
export const listActiveRuns = async (tx: Transaction, place: TriggerPlace): Promise<readonly (string | null)[]> => {
  const begun = await tx.triggerEvent.findMany({
    where: { ...placeOf(place), status: { in: ["accepted", "started"] }, runId: { not: null } },
    orderBy: { receivedAt: "desc" },
    take: AT_ONCE,
    select: { runId: true, status: true },
  });
  const ids = begun.flatMap(({ runId }) => runId ?? []);
  const ended = new Set(
    (await tx.run.findMany({ where: { id: { in: ids }, status: { in: ENDED } }, select: { id: true } })).map(({ id }) => id),
  );

  return begun.flatMap(({ runId, status }) => (runId === null || ended.has(runId) ? [] : [status === "accepted" ? null : runId]));
};

type Decided = { readonly status: EventStatus; readonly code?: RefusalCode; readonly eventId?: string; readonly runId?: string };

/** @returns false when it was decided already */
export const settleEvent = async (
  tx: Pick<Transaction, "triggerEvent">,
  { id, status: from }: Pick<StoredEvent, "id" | "status">,
  { status, ...decided }: Decided,
  atMs: number,
): Promise<boolean> => {
  const isOver = status === "refused" || status === "started";
  const { count } = await tx.triggerEvent.updateMany({
    where: { id, status: from },
    data: { status, ...decided, ...(isOver ? { body: new Uint8Array() } : {}), decidedAt: new Date(atMs) },
  });

  return count === 1;
};

export const markStarted = (event: Pick<StoredEvent, "id" | "status">, atMs: number): Promise<boolean> =>
  settleEvent(getDatabase(), event, { status: "started" }, atMs);

export const insertOwnEvent = async (
  tx: Transaction,
  place: TriggerPlace,
  event: { readonly id: string; readonly eventId: string; readonly kind: "schedule"; readonly atMs: number; readonly code?: RefusalCode },
): Promise<boolean> => {
  const { id, eventId, kind, atMs, code } = event;
  const { count } = await tx.triggerEvent.createMany({
    data: {
      ...placeOf(place),
      id,
      eventId,
      kind,
      receivedAt: new Date(atMs),
      ...(code ? { status: "refused", code, decidedAt: new Date(atMs) } : {}),
    },
    skipDuplicates: true,
  });

  return count === 1;
};

const UNVERIFIED_KEPT_MS = 30 * 86_400_000;

export const forgetUnverified = async (atMs: number): Promise<void> => {
  await getDatabase().triggerEvent.deleteMany({
    where: { status: "refused", eventId: null, receivedAt: { lt: new Date(atMs - UNVERIFIED_KEPT_MS) } },
  });
};

export const openTriggerTurn = (onWake: () => void, onLost: () => void): Promise<Turn> =>
  openLeaderLock({ channel: CHANNEL, lock: "countersign.trigger" }, onWake, onLost);
