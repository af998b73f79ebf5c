import { computeJitterMs, getLastTime, getNextTime } from "@/lib/graph/triggers/occurrence";
import type { TriggerOf } from "@/lib/graph/triggers/trigger";
import { ENGINE } from "@/server/runner/admin-ledger";
import type { RunnerDeps } from "@/server/runner/deps";
import { appendOwnRecords } from "@/server/store/runs/attempts";
import { insertOwnEvent } from "@/server/store/triggers/events";
import {
  listDueTriggers,
  listWaitingTriggers,
  moveSchedule,
  restSchedule,
  setNextTime,
  type ScheduledTrigger,
} from "@/server/store/triggers/projection";
import { findInForce } from "./examine";
import { signRefusal } from "./refusal";

const GRACE_MS = 60_000;

const toText = (ms: number): string => new Date(ms).toISOString();

const REST_MS = 60_000;

const findSchedule = async (deps: RunnerDeps, due: ScheduledTrigger): Promise<TriggerOf<"schedule"> | "later" | null> => {
  const found = await findInForce(deps, due);
  // Records may verify later, and a deleted graph may be restored.
  if (found === null || typeof found === "string") return "later";

  return found.trigger?.kind === "schedule" ? found.trigger : null;
};

const serve = async (deps: RunnerDeps, due: ScheduledTrigger): Promise<void> => {
  const { workspaceId, graphId, trigger, nextMs: firstMs } = due;
  const schedule = await findSchedule(deps, due);
  const nowMs = deps.clock.now();
  if (schedule === "later") return restSchedule(due, nowMs + REST_MS);
  const jitterMs = computeJitterMs({ workspace: workspaceId, graph: graphId, trigger }, schedule?.jitter_ms ?? 0);
  const lastMs = schedule === null ? firstMs : getLastTime(schedule, firstMs, nowMs - jitterMs);
  const isTimely = nowMs - jitterMs - lastMs <= GRACE_MS;
  const isServed = schedule !== null && (isTimely || schedule.missed === "run_once");
  const isMissed = schedule?.missed === "skip" && (!isTimely || firstMs < lastMs);
  await appendOwnRecords(workspaceId, async (tx) => {
    if (!(await moveSchedule(tx, due, schedule && getNextTime(schedule, lastMs)))) return [];
    const place = { workspaceId, graphId, trigger };
    if (isServed) await insertOwnEvent(tx, place, { id: deps.clock.id(), eventId: toText(lastMs), kind: "schedule", atMs: nowMs });
    const id = deps.clock.id();
    const missed = { id, eventId: toText(firstMs), kind: "schedule", atMs: nowMs, code: "trigger_missed" } as const;
    if (!isMissed || !(await insertOwnEvent(tx, place, missed))) return [];

    return [signRefusal(deps, { ...place, id }, { code: "trigger_missed", by: ENGINE, names: [toText(firstMs), toText(lastMs)] })];
  });
};

export const serveSchedules = async (deps: RunnerDeps): Promise<void> => {
  for (const due of await listDueTriggers(deps.clock.now())) await serve(deps, due);
};

/** For clocks that went forward and back. */
export const catchUpWithClock = async (deps: RunnerDeps): Promise<void> => {
  const nowMs = deps.clock.now();
  for (const waiting of await listWaitingTriggers(nowMs)) {
    const nextMs = getNextTime(waiting.schedule, nowMs);
    if (nextMs !== null && nextMs < waiting.nextMs) await setNextTime(waiting, nextMs);
  }
};
