import { z } from "zod";
import { triggerFaultSchema } from "@/lib/graph/triggers/mailbox";
import { computeJitterMs, getNextTime } from "@/lib/graph/triggers/occurrence";
import type { Trigger, TriggerOf } from "@/lib/graph/triggers/trigger";
import { digestOf } from "@/lib/hash";
import { toCanonicalJson } from "@/lib/json";
import { systemClock } from "@/server/clock";
import { findGraphOfDocument } from "@/server/store/graphs/document-ids";
import { MAILBOX, readCursor, RESOURCE } from "./positions";
import { getDatabase, scopeToWorkspace, type Transaction } from "@/server/db/client";

const scheduleSchema = z.strictObject({ cron: z.string(), time_zone: z.string(), jitter_ms: z.number() });

const scheduleOf = ({ cron, time_zone, jitter_ms }: TriggerOf<"schedule">) => ({ cron, time_zone, jitter_ms });

const isSameSchedule = (stored: unknown, trigger: TriggerOf<"schedule">): boolean =>
  toCanonicalJson(scheduleSchema.safeParse(stored).data ?? null) === toCanonicalJson(scheduleOf(trigger));

type Place = { readonly workspaceId: string; readonly graphId: string; readonly trigger: string };

const dueAt = ({ workspaceId: workspace, graphId: graph, trigger }: Place, jitterMs: number, atMs: number | null): Date | null =>
  atMs === null ? null : new Date(atMs + computeJitterMs({ workspace, graph, trigger }, jitterMs));

export const digestMailbox = ({ host, port, user, mailbox }: TriggerOf<"email">): string =>
  digestOf("settings", { host, port, user, mailbox });

export const digestResource = ({ server, uri }: Pick<TriggerOf<"mcp_resource">, "server" | "uri">): string =>
  digestOf("settings", { server, uri });

type Known = Awaited<ReturnType<Transaction["graphTrigger"]["findMany"]>>[number];

const keepPosition = (known: Known | undefined, of: string) => {
  const cursor = known && (readCursor(MAILBOX, known.cursor) ?? readCursor(RESOURCE, known.cursor));

  return known && cursor?.of === of ? { cursor, fault: known.fault, readAt: known.readAt } : {};
};

const partsOf = async (tx: Transaction, place: Place, trigger: Trigger, known: Known | undefined) => {
  switch (trigger.kind) {
    case "email":
      return { dueAt: new Date(systemClock.now()), ...keepPosition(known, digestMailbox(trigger)) };
    case "mcp_resource":
      return { dueAt: new Date(systemClock.now()), ...keepPosition(known, digestResource(trigger)) };
    case "webhook":
      return {};
    case "schedule": {
      const kept = known && isSameSchedule(known.schedule, trigger) ? known.nextAt : null;
      const nextMs = kept?.getTime() ?? getNextTime(trigger, systemClock.now());

      return {
        schedule: scheduleOf(trigger),
        nextAt: nextMs === null ? null : new Date(nextMs),
        dueAt: dueAt(place, trigger.jitter_ms, nextMs),
      };
    }
    case "run_end":
      return { sourceGraph: await findGraphOfDocument(tx, place.workspaceId, trigger.graph_id), statuses: [...trigger.statuses] };
    default:
      return trigger satisfies never;
  }
};

/** An unchanged schedule keeps its next time. */
export const projectTriggers = async (
  tx: Transaction,
  workspaceId: string,
  graphId: string,
  triggers: readonly Trigger[],
): Promise<void> => {
  const before = await tx.graphTrigger.findMany({ where: { workspaceId, graphId } });
  if (before.length === 0 && triggers.length === 0) return;
  await tx.graphTrigger.deleteMany({ where: { workspaceId, graphId } });
  for (const trigger of triggers) {
    const place = { workspaceId, graphId, trigger: trigger.id };
    const known = before.find((row) => row.trigger === trigger.id);
    await tx.graphTrigger.create({ data: { ...place, kind: trigger.kind, ...(await partsOf(tx, place, trigger, known)) } });
  }
};

export type ScheduledTrigger = Place & {
  readonly schedule: z.infer<typeof scheduleSchema>;
  readonly nextMs: number;
};

const MOST_DUE = 100;

const toScheduled = (row: Place & { readonly schedule: unknown; readonly nextAt: Date | null }): ScheduledTrigger[] => {
  const schedule = scheduleSchema.safeParse(row.schedule).data;
  const { workspaceId, graphId, trigger } = row;

  return schedule && row.nextAt ? [{ workspaceId, graphId, trigger, schedule, nextMs: row.nextAt.getTime() }] : [];
};

const SCHEDULED = { workspaceId: true, graphId: true, trigger: true, schedule: true, nextAt: true } as const;

export const listDueTriggers = async (atMs: number): Promise<readonly ScheduledTrigger[]> => {
  const where = { kind: "schedule", dueAt: { lte: new Date(atMs) } };
  const rows = await getDatabase().graphTrigger.findMany({ where, orderBy: { dueAt: "asc" }, take: MOST_DUE, select: SCHEDULED });

  return rows.flatMap(toScheduled);
};

export const listWaitingTriggers = async (atMs: number): Promise<readonly ScheduledTrigger[]> => {
  const where = { kind: "schedule", nextAt: { gt: new Date(atMs) } };

  return (await getDatabase().graphTrigger.findMany({ where, select: SCHEDULED })).flatMap(toScheduled);
};

/** @returns false when it moved already */
export const moveSchedule = async (
  tx: Pick<Transaction, "graphTrigger">,
  { workspaceId, graphId, trigger, schedule, nextMs }: ScheduledTrigger,
  toMs: number | null,
): Promise<boolean> => {
  const place = { workspaceId, graphId, trigger };
  const { count } = await tx.graphTrigger.updateMany({
    where: { ...place, nextAt: new Date(nextMs) },
    data: { nextAt: toMs === null ? null : new Date(toMs), dueAt: dueAt(place, schedule.jitter_ms, toMs) },
  });

  return count === 1;
};

export const restSchedule = async ({ workspaceId, graphId, trigger, nextMs }: ScheduledTrigger, untilMs: number): Promise<void> => {
  const where = { workspaceId, graphId, trigger, nextAt: new Date(nextMs) };
  await getDatabase().graphTrigger.updateMany({ where, data: { dueAt: new Date(untilMs) } });
};

export const setNextTime = (scheduled: ScheduledTrigger, toMs: number): Promise<boolean> => moveSchedule(getDatabase(), scheduled, toMs);

export const listGraphTriggers = async (workspaceId: string, graphId: string) => {
  const rows = await scopeToWorkspace(workspaceId).graphTrigger.findMany({
    where: { workspaceId, graphId },
    orderBy: { trigger: "asc" },
    select: { trigger: true, kind: true, dueAt: true, fault: true, readAt: true, cursor: true },
  });

  return rows.map(({ dueAt: due, fault, readAt, cursor, ...row }) => ({
    ...row,
    isSubscribed: readCursor(RESOURCE, cursor)?.at.isSubscribed ?? false,
    nextMs: due?.getTime() ?? null,
    fault: triggerFaultSchema.nullable().parse(fault),
    readMs: readAt?.getTime() ?? null,
  }));
};

export const hasTrigger = async ({ workspaceId, graphId, trigger }: Place, kind: Trigger["kind"]): Promise<boolean> =>
  (await scopeToWorkspace(workspaceId).graphTrigger.count({ where: { workspaceId, graphId, trigger, kind } })) > 0;
