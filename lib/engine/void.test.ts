import { describe, expect, it } from "vitest";
import { plan } from "@/lib/engine/plan";
import { digestOf } from "@/lib/hash";
import { atGate, getCode, decideAs, decision, engine, openGate, result, REVIEWER, user } from "@/lib/engine/testing/run";

const OTHER_POLICY = digestOf("policy", { v: 2 });

describe("an approval with a changed basis", () => {
  it("is void and asked again: the old decision no longer counts", () => {
    const run = atGate();
    const first = openGate(run).gate;
    const old = decision(run, user(REVIEWER));
    run.underPolicy(OTHER_POLICY);
    expect(plan(run.published, run.state(), run.now(), 1)).toEqual({ type: "propose", body: { kind: "void", approval_id: first.id } });

    expect(getCode(run.propose(engine, { kind: "void", approval_id: first.id }))).toBe("accepted");
    expect(run.state()).toMatchObject({ status: "running", currentNode: first.node });
    expect(run.state().gates[first.id]?.status).toBe("void");
    run.work(result({ type: "request_human_input", prompt: "" }));
    const second = openGate(run).gate;
    expect(second.transition_digest).not.toBe(first.transition_digest);
    expect(getCode(run.propose(user(REVIEWER), old))).toBe("approval_closed");
    expect(getCode(decideAs(run, user(REVIEWER)))).toBe("accepted");
    expect(run.state().currentNode).not.toBe(first.node);
  });

  it("cannot be voided while valid", () => {
    const run = atGate();
    const { gate } = openGate(run);
    expect(getCode(run.propose(engine, { kind: "void", approval_id: gate.id }))).toBe("version_conflict");
    expect(run.state().status).toBe("waiting");
  });

  it("is voided by the engine only", () => {
    const run = atGate();
    const { gate } = openGate(run);
    run.underPolicy(OTHER_POLICY);
    expect(getCode(run.propose(user(REVIEWER, "admin"), { kind: "void", approval_id: gate.id }))).toBe("principal_not_allowed");
  });
});
