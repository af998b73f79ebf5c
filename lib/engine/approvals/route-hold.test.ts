import { describe, expect, it } from "vitest";
import { plan } from "@/lib/engine/plan";
import { heldBy } from "@/lib/engine/state";
import { atGate, getCode, decideAs, decision, engine, openGate, result, REVIEWER, user, type TestRun } from "@/lib/engine/testing/run";

const shut = (run: TestRun, availability: "unavailable" | "drifted" | "not_allowed" = "drifted") =>
  run.propose(engine, { kind: "void", approval_id: openGate(run).gate.id, availability });
const next = (run: TestRun) => plan(run.published, run.state(), run.now(), 1);

describe("an approval with an unavailable tool", () => {
  it("is void and holds the run: no gates and no work until the tool is back", () => {
    const run = atGate();
    const { gate } = openGate(run);
    expect(gate.transition.effect).not.toBeNull();
    const old = decision(run, user(REVIEWER));
    expect(getCode(shut(run))).toBe("accepted");

    expect(run.state()).toMatchObject({ status: "waiting", currentNode: gate.node });
    expect(heldBy(run.state())?.gate.id).toBe(gate.id);
    expect(next(run)).toEqual({ type: "wait", until: gate.expires_at });
    expect(getCode(run.propose(user(REVIEWER), old))).toBe("approval_closed");

    expect(getCode(run.propose(engine, { kind: "ask_again", approval_id: gate.id }))).toBe("accepted");
    expect(heldBy(run.state())).toBeUndefined();
    expect(next(run)).toMatchObject({ type: "execute", node: gate.node });
    run.work(result({ type: "request_human_input", prompt: "" }));
    expect(openGate(run).gate).toMatchObject({ supersedes: gate.id, node: gate.node });
    expect(getCode(decideAs(run, user(REVIEWER)))).toBe("accepted");
  });

  it("expires as a rejection while held, with a single end of the gate", () => {
    const run = atGate();
    const { gate } = openGate(run);
    shut(run);
    expect(getCode(run.propose(engine, { kind: "expire", approval_id: gate.id }))).toBe("approval_not_due");
    run.pass(gate.expires_at - run.now());
    expect(next(run)).toEqual({ type: "propose", body: { kind: "expire", approval_id: gate.id } });
    expect(getCode(run.propose(engine, { kind: "expire", approval_id: gate.id }))).toBe("accepted");
    expect(run.state().gates[gate.id]?.status).toBe("void");
    expect(heldBy(run.state())).toBeUndefined();

    const rejected = atGate();
    decideAs(rejected, user(REVIEWER), "reject");
    expect([run.state().status, run.state().currentNode]).toEqual([rejected.state().status, rejected.state().currentNode]);
  });

  it("is voided and asked again by the engine only, and only while it holds the run", () => {
    const run = atGate();
    const { gate } = openGate(run);
    const again = { kind: "ask_again", approval_id: gate.id } as const;
    expect(getCode(run.propose(engine, again))).toBe("version_conflict");
    expect(getCode(run.propose(user(REVIEWER, "admin"), { kind: "void", approval_id: gate.id, availability: "drifted" }))).toBe(
      "principal_not_allowed",
    );
    shut(run);
    expect(getCode(run.propose(user(REVIEWER, "admin"), again))).toBe("principal_not_allowed");
    expect(getCode(run.propose(engine, { ...again, approval_id: "00000000-0000-4000-8000-00000000ffff" }))).toBe("version_conflict");
    expect(getCode(run.propose(engine, again))).toBe("accepted");
    expect(getCode(run.propose(engine, again))).toBe("version_conflict");
  });

  it("records why the run is held", () => {
    const run = atGate();
    const verdict = shut(run, "unavailable");
    expect(verdict).toMatchObject({
      ok: true,
      events: [
        { type: "gate_resolved", outcome: "void" },
        { type: "status_changed", to: "waiting", reason: "tool_unavailable" },
      ],
    });
  });

  it("can be cancelled", () => {
    const run = atGate();
    shut(run);
    expect(getCode(run.propose(user(REVIEWER, "admin"), { kind: "cancel" }))).toBe("accepted");
    expect(run.state().status).toBe("cancelled");
  });
});
