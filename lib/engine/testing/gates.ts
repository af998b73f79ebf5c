import type { Verdict } from "@/lib/engine/decide/verdict";
import type { Principal } from "@/lib/engine/principal";
import type { Edited } from "@/lib/engine/approvals/edited-form";
import type { BodyOf } from "@/lib/engine/proposal";
import { decision, openGate, type TestRun } from "@/lib/engine/testing/run";

export const edit = (run: TestRun, change: Edited): BodyOf<"edit"> => {
  const { gate } = openGate(run);

  return { kind: "edit", approval_id: gate.id, transition_digest: gate.transition_digest, nonce: gate.nonce, change };
};

export const editAs = (run: TestRun, by: Principal, change: Edited): Verdict => run.propose(by, edit(run, change));

export const sendBackAs = (run: TestRun, by: Principal, reason = "Ask for less."): Verdict =>
  run.propose(by, { ...decision(run, by), decision: "request_changes", reason });

export const commentAs = (run: TestRun, by: Principal, text = "Why so much?"): Verdict =>
  run.propose(by, { kind: "comment", approval_id: openGate(run).gate.id, text });
