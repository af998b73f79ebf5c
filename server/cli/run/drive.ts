import { setTimeout as pause } from "node:timers/promises";
import type { Json } from "@/lib/json";
import { buildApprovalView, computeViewDigest } from "@/lib/engine/approvals/approval-view";
import { isTerminal } from "@/lib/engine/event";
import { getClearance } from "@/lib/engine/approvals/policy";
import type { CommandBody } from "@/lib/engine/proposal";
import type { GateState, RunState } from "@/lib/engine/state";
import { verifyLedger, type Verification } from "@/lib/engine/verify/verify";
import type { SignedRecord } from "@/lib/engine/ledger/record";
import { replay } from "@/lib/engine/ledger/replay";
import type { RunnerDeps } from "@/server/runner/deps";
import { driveRun, type Wakeups } from "@/server/runner/drive";
import { openOperatorLedger } from "@/server/reading/operator-ledger";
import { openLedger } from "@/server/runner/load";
import { sealCommand } from "@/server/store/runs/command-envelope";
import { findCommandOutcome, insertCommand, type CommandOutcome } from "@/server/store/runs/commands";
import { getRun } from "@/server/store/runs/runs";
import { listPublicKeys } from "@/server/security/trust-anchor";
import { pickDecider, STARTER, type ScriptedDecision } from "./decisions";
import type { Place } from "./installation";

export type Read = { readonly state: RunState; readonly records: readonly SignedRecord[]; readonly verified: Verification };

export type Headless = {
  readonly deps: RunnerDeps;
  readonly place: Place;
  readonly runId: string;
  /** Ids and codes only. */
  readonly say: (line: string) => void;
};

/** Only this process changes the run. */
const asleep: Wakeups = { onWake: () => () => undefined };

const read = async ({ deps, place, runId }: Headless): Promise<Read | null> => {
  const row = await getRun(place.workspaceId, runId);
  if (!row) return null;
  const ledger = await openLedger(deps.vault, { workspaceId: place.workspaceId, runId, version: row.version, digest: row.head });

  return { ...replay(ledger, place.graphHash), verified: await verifyLedger(ledger, await listPublicKeys()) };
};

const readToTell = async ({ deps, place, runId }: Headless, end: Read): Promise<Read> => {
  const { version, head } = end.state;
  const whole = await openLedger(deps.vault, { workspaceId: place.workspaceId, runId, version, digest: head });
  const { ledger } = await openOperatorLedger(deps.vault, whole);

  return { ...end, ...replay(ledger, place.graphHash) };
};

const ask = async (headless: Headless, userId: string, body: CommandBody): Promise<CommandOutcome | null> => {
  const { deps, place, runId } = headless;
  const id = deps.clock.id();
  const { workspaceId } = place;
  const author = { type: "user", id: userId, session: null } as const;
  await insertCommand(workspaceId, sealCommand(deps.vault, { workspaceId, id, runId, author, sentAt: deps.clock.now(), body }));
  await driveRun(deps, asleep, workspaceId, runId);

  return findCommandOutcome(workspaceId, id);
};

const openGateOf = (state: RunState): GateState | undefined => Object.values(state.gates).find(({ status }) => status === "open");

const reasonOf = ({ decision, reason }: ScriptedDecision): { readonly reason?: string } => {
  if (reason !== undefined) return { reason };

  return decision === "reject" ? { reason: "Rejected by the file of decisions." } : {};
};

const decide = async (headless: Headless, state: RunState, gate: GateState, decision: ScriptedDecision): Promise<void> => {
  const view = buildApprovalView(headless.place.published, state, gate, getClearance({ role: "reviewer", auditor: false }));
  const userId = pickDecider(decision, gate, headless.place.people);
  const outcome = await ask(headless, userId, {
    kind: "decision",
    approval_id: gate.gate.id,
    transition_digest: gate.gate.transition_digest,
    view_digest: computeViewDigest(view),
    decision: decision.decision,
    ...reasonOf(decision),
    nonce: gate.gate.nonce,
  });
  headless.say(`${decision.decision} at ${gate.gate.node}${outcome?.refusal ? ` was refused: ${outcome.refusal.code}` : ""}`);
};

const goOn = async (headless: Headless, decisions: readonly ScriptedDecision[]): Promise<Read | null> => {
  const now = await read(headless);
  if (!now || !now.verified.ok || isTerminal(now.state.status)) return now;
  const { state } = now;
  if (state.status === "waiting") {
    const [next, ...rest] = decisions;
    const gate = openGateOf(state);
    if (!next || !gate) return now;
    await decide(headless, state, gate, next);

    return goOn(headless, rest);
  }
  await pause(Math.max(0, (state.retryAt ?? 0) - headless.deps.clock.now()));
  await driveRun(headless.deps, asleep, headless.place.workspaceId, headless.runId);
  const after = await read(headless);

  // A driver that neither waited nor moved the run would loop.
  return after?.state.version === state.version ? after : goOn(headless, decisions);
};

export type Launch = { readonly goal: string; readonly inputs: Json; readonly model: string };

/** Drives a run to its end, or to an unscripted gate. */
export const runHeadless = async (
  headless: Headless,
  launch: Launch,
  decisions: readonly ScriptedDecision[],
): Promise<{ readonly refusal: CommandOutcome["refusal"]; readonly end: Read | null }> => {
  const started = await ask(headless, headless.place.people.get(STARTER) ?? "", {
    kind: "start",
    graph_hash: headless.place.graphHash,
    goal: launch.goal,
    constraints: [],
    inputs: launch.inputs,
    model: launch.model,
  });
  if (!started || started.refusal) return { refusal: started?.refusal ?? null, end: null };

  const end = await goOn(headless, decisions);

  return { refusal: null, end: end && (await readToTell(headless, end)) };
};
