import { buildApprovalView, computeViewDigest } from "@/lib/engine/approvals/approval-view";
import { findAside, getKnownValue, type GateState } from "@/lib/engine/state";
import { atParse, intent, REVIEWER, user, type TestRun } from "@/lib/engine/testing/run";
import { answer, reserve } from "@/lib/engine/testing/work";

export const reviewer = user(REVIEWER);
export const PLANS = ["team", "business", "free"] as const;

export const callOf = (to: string, index: number) => ({ id: String(index + 1), name: "crm__update", input: { plan: to } });
export const propose = (run: TestRun, index: number, to = PLANS[index] ?? "") =>
  run.work(intent("crm", "update", { plan: to }, `0//${index + 1}`));

export const speaking = (calls: readonly object[] = PLANS.map(callOf), run: TestRun = atParse()): TestRun => {
  answer(run, reserve(run), "", { text: "", tool_calls: calls });

  return run;
};

export const gates = (run: TestRun): readonly GateState[] => Object.values(run.state().gates);
export const statuses = (run: TestRun) => gates(run).map(({ status }) => status);
export const sent = (run: TestRun) =>
  Object.values(run.state().effects)
    .filter(({ effect }) => effect.tool === "update")
    .map((effect) => getKnownValue(findAside(run.state(), `$arguments.${effect.effect_id}`).at(-1)));

export const decideAbout = (run: TestRun, index: number, decision: "approve" | "reject" | "request_changes" = "approve") => {
  const found = gates(run)[index];
  if (!found) throw new Error(`there is no gate ${index}`);
  const { gate } = found;

  return run.propose(reviewer, {
    kind: "decision",
    approval_id: gate.id,
    transition_digest: gate.transition_digest,
    view_digest: computeViewDigest(buildApprovalView(run.published, run.state(), found, "internal")),
    decision,
    ...(decision === "approve" ? {} : { reason: "no" }),
    nonce: gate.nonce,
  });
};

export const settle = (run: TestRun) => {
  const effect = Object.values(run.state().effects).find(({ outcome }) => outcome === null);

  return run.work({ kind: "effect_outcome", effect_id: effect?.effect_id, outcome: "ok", result: {} } as never);
};
