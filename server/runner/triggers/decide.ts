import { decide } from "@/lib/engine/decide";
import { isTerminal } from "@/lib/engine/event";
import { POLICY_HASH } from "@/lib/engine/approvals/policy";
import { createRunState } from "@/lib/engine/state";
import type { Trigger } from "@/lib/graph/triggers/trigger";
import type { RefusalCode } from "@/lib/refusal";
import { systemClock } from "@/server/clock";
import type { RunnerDeps } from "@/server/runner/deps";
import { openRun, type OpenedRun } from "@/server/runner/open-run";
import { createRateLimiter } from "@/server/security/rate-limit";
import { createRunHead, releaseLease, runHead } from "@/server/store/ledger/run-heads";
import { notify } from "@/server/store/notify";
import { appendOwnRecords, type LedgerTransaction } from "@/server/store/runs/attempts";
import {
  countQueued,
  isKnownEvent,
  listActiveRuns,
  listQueued,
  markStarted,
  MOST_QUEUED,
  settleEvent,
  type StoredEvent,
} from "@/server/store/triggers/events";
import { examine, type Ready, type Refused } from "./examine";
import { signRefusal } from "./refusal";

/** Further refusals have no record. */
const recorded = createRateLimiter({ limit: 20, windowMs: 60_000 }, systemClock);

type Sign = ReturnType<typeof signRefusal>;

const refuse = async (
  deps: RunnerDeps,
  tx: LedgerTransaction,
  event: StoredEvent,
  { code, by, eventId }: Refused,
): Promise<readonly Sign[]> => {
  const kept = code === "trigger_duplicate" || eventId === null ? {} : { eventId };
  const isSettled = await settleEvent(tx, event, { status: "refused", code, ...kept }, deps.clock.now());
  const { workspaceId, graphId, trigger, kind } = event;
  if (!isSettled || (kind === "webhook" && !recorded.take(`${workspaceId} ${graphId} ${trigger}`))) return [];

  return [signRefusal(deps, event, { code, by, names: [eventId ?? event.id] })];
};

const refuseAlone = (deps: RunnerDeps, event: StoredEvent, refused: Refused): Promise<void> =>
  appendOwnRecords(event.workspaceId, (tx) => refuse(deps, tx, event, refused));

const objectionTo = (
  deps: RunnerDeps,
  { id, workspaceId }: StoredEvent,
  { version, runId, principal, body }: Ready,
): RefusalCode | null => {
  const verdict = decide(version.published, createRunState(workspaceId, runId, version.hash, POLICY_HASH), {
    id,
    workspace: workspaceId,
    run: runId,
    at: deps.clock.now(),
    principal,
    epoch: 1,
    fresh: [deps.clock.id(), deps.clock.id()],
    body,
  });

  return verdict.ok ? null : verdict.refusal.code;
};

const takeTurn = async (
  deps: RunnerDeps,
  tx: LedgerTransaction,
  event: StoredEvent,
  { eventId, principal, runId }: Ready,
  concurrency: Trigger["concurrency"],
): Promise<readonly Sign[]> => {
  const [active, queued] = [await listActiveRuns(tx, event), await countQueued(tx, event)];
  const refused: Refused = { code: "trigger_busy", by: principal, eventId };
  const settle = async (status: "accepted" | "queued") => {
    await settleEvent(tx, event, { status, eventId, runId }, deps.clock.now());

    return [];
  };
  if (active.length === 0 && queued === 0) return settle("accepted");
  if (concurrency === "drop" || queued >= MOST_QUEUED) return refuse(deps, tx, event, refused);
  const overtaken = concurrency === "replace" ? await listQueued(tx, event) : [];
  const signs: Sign[] = [];
  for (const earlier of overtaken) signs.push(...(await refuse(deps, tx, earlier, { ...refused, eventId: earlier.eventId })));

  return [...signs, ...(await settle("queued"))];
};

export const decideEvent = async (deps: RunnerDeps, event: StoredEvent): Promise<void> => {
  const found = await examine(deps, event);
  if (!found.ok) return refuseAlone(deps, event, found.error);
  const ready = found.value;
  const { eventId, principal, trigger } = ready;
  await appendOwnRecords(event.workspaceId, async (tx) => {
    if (await isKnownEvent(tx, event, eventId)) return refuse(deps, tx, event, { code: "trigger_duplicate", by: principal, eventId });
    const code = objectionTo(deps, event, ready);

    return code === null
      ? takeTurn(deps, tx, event, ready, trigger.concurrency)
      : refuse(deps, tx, event, { code, by: principal, eventId });
  });
};

const withRun = async (deps: RunnerDeps, workspaceId: string, runId: string, work: (run: OpenedRun) => Promise<void>): Promise<boolean> => {
  const opened = await openRun(deps, workspaceId, runId);
  if (!opened) return false;
  try {
    await work(opened);

    return true;
  } finally {
    opened.lease.end();
    await deps.journal.flush();
    await releaseLease(workspaceId, runId, opened.session.epoch);
  }
};

export const startAccepted = async (deps: RunnerDeps, event: StoredEvent): Promise<void> => {
  const { workspaceId, id, runId } = event;
  const head = runId === null ? null : await runHead(workspaceId, runId);
  if (head && head.version > 0) {
    await markStarted(event, deps.clock.now());

    return;
  }
  const found = await examine(deps, event, head?.graphHash);
  if (!found.ok) return refuseAlone(deps, event, found.error);
  const ready = found.value;
  const { version, principal, body, eventId } = ready;
  const code = objectionTo(deps, event, ready);
  if (code !== null || runId !== ready.runId) return refuseAlone(deps, event, { code: code ?? "malformed", by: principal, eventId });
  await createRunHead({
    workspaceId,
    runId,
    graphId: version.graphId,
    graphHash: version.hash,
    initiatorId: principal.publisher,
    environment: body.env?.id ?? null,
    at: deps.clock.now(),
  });
  const isOpened = await withRun(deps, workspaceId, runId, async ({ session }) => {
    if (session.state().version === 0) await session.submit({ principal, body, command: id });
  });
  if (!isOpened) return;
  await markStarted(event, deps.clock.now());
  await notify("countersign_command", `${workspaceId} ${runId}`);
};

const REPLACED = "A later event of the trigger replaces this run.";

/** A working run keeps its lease; it is asked again later. */
const replaceRun = async (deps: RunnerDeps, { workspaceId }: StoredEvent, { principal }: Ready, runId: string): Promise<void> => {
  const isOpened = await withRun(deps, workspaceId, runId, async ({ session }) => {
    const { status, unwinding } = session.state();
    if (isTerminal(status) || unwinding) return;
    await session.submit({ principal, body: { kind: "cancel", reason: REPLACED } });
  });
  if (isOpened) await notify("countersign_command", `${workspaceId} ${runId}`);
};

export const advanceQueued = async (deps: RunnerDeps, event: StoredEvent): Promise<void> => {
  let active: readonly (string | null)[] = [];
  await appendOwnRecords(event.workspaceId, async (tx) => {
    active = await listActiveRuns(tx, event);
    if (active.length === 0) await settleEvent(tx, event, { status: "accepted" }, deps.clock.now());

    return [];
  });
  if (active.length === 0) return;
  const found = await examine(deps, event);
  if (!found.ok) return refuseAlone(deps, event, found.error);
  if (found.value.trigger.concurrency !== "replace") return;
  for (const runId of active) if (runId !== null) await replaceRun(deps, event, found.value, runId);
};
