import type { Json } from "@/lib/json";
import { findAside, getKnownValue, type Effect, type RunState } from "@/lib/engine/state";
import { verifyLedger } from "@/lib/engine/verify/verify";
import { replay } from "@/lib/engine/ledger/replay";
import type { RunnerDeps } from "@/server/runner/deps";
import { openLedgerAt } from "@/server/runner/load";
import { runHead } from "@/server/store/ledger/run-heads";

export type SimulatedAnswer = { readonly status: "simulated"; readonly outcome: "ok" | "tool_error"; readonly result: Json };

const NOT_IN_RECORD: SimulatedAnswer = {
  status: "simulated",
  outcome: "tool_error",
  result: { code: "not_in_record", message: "This run is a simulation, and its record has no answer to this call." },
};

const isSameCall = (a: Effect, b: Effect): boolean =>
  a.effect.server === b.effect.server && a.effect.tool === b.effect.tool && a.effect.arguments_digest === b.effect.arguments_digest;

const answersTo = (state: RunState, effect: Effect): readonly Effect[] =>
  Object.values(state.effects)
    .filter((other) => (other.outcome === "ok" || other.outcome === "tool_error") && isSameCall(other, effect))
    .toSorted((a, b) => a.seq - b.seq);

const answerOf = (state: RunState, effect: Effect): SimulatedAnswer => {
  const result = getKnownValue(findAside(state, `$result.${effect.effect_id}`).at(-1));

  // Shredded: no longer in the record.
  return result === undefined ? NOT_IN_RECORD : { status: "simulated", outcome: effect.outcome === "ok" ? "ok" : "tool_error", result };
};

/** Returns the parent's n-th answer to the run's n-th identical call, or its last; none of an unverified parent. */
export const simulateAnswer = async (deps: RunnerDeps, state: RunState, effect: Effect): Promise<SimulatedAnswer> => {
  const parent = state.fork && (await runHead(state.workspace, state.fork.parentRun));
  if (!parent) return NOT_IN_RECORD;
  const place = { workspaceId: state.workspace, runId: parent.id, version: parent.version, digest: parent.head };
  const ledger = await openLedgerAt(deps.vault, place);
  if (!(await verifyLedger(ledger, await deps.publicKeys())).ok) return NOT_IN_RECORD;
  const recorded = replay(ledger, parent.graphHash).state;
  const answers = answersTo(recorded, effect);
  const found = answers[answersTo(state, effect).length] ?? answers.at(-1);

  return found ? answerOf(recorded, found) : NOT_IN_RECORD;
};
