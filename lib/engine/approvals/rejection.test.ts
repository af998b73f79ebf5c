import { describe, expect, it } from "vitest";
import { toCanonicalJson, type Json } from "@/lib/json";
import { describeRejection } from "@/lib/engine/approvals/rejection";
import { nodesWith, publishWith } from "@/lib/engine/testing/graph";
import { write } from "@/lib/engine/testing/undo";
import { child, END, using, version, writer } from "@/lib/engine/testing/kinds";
import { atGate, atParse, decideAs, openGate, result, REVIEWER, started, update, user, type TestRun } from "@/lib/engine/testing/run";

const told = (run: TestRun) => describeRejection(run.published, run.state(), openGate(run), run.now());
const comesTrue = (run: TestRun) => {
  const before = run.state();
  const answer = told(run);
  expect(run.state()).toBe(before);
  decideAs(run, user(REVIEWER), "reject");
  const { status, currentNode, unwinding } = run.state();

  return { answer, status, currentNode, unwinding };
};

describe("the predicted rejection", () => {
  it("routes to the rejection node", () => {
    const { answer, currentNode } = comesTrue(atGate());
    expect(answer).toEqual({ next: { node: "decline", title: "" }, ends: null, code: null, rests: false, undone: [] });
    expect(currentNode).toBe("decline");
  });

  it("ends the run without one", () => {
    const { answer, status } = comesTrue(atGate(publishWith({ nodes: nodesWith("ask", { config: { prompt: "?", for_node: "write" } }) })));
    expect(answer).toMatchObject({ next: null, ends: "cancelled" });
    expect(status).toBe("cancelled");
  });

  it("fails the node whose call or writes wait", () => {
    const writing = atParse();
    writing.work(result(update("is_admin", true)));
    const { answer, status } = comesTrue(writing);
    expect(answer).toMatchObject({ next: null, ends: "failed", code: "approval_rejected" });
    expect(status).toBe("failed");
  });

  it("names undos, newest first", () => {
    const nodes = [writer("w1"), writer("w2"), { id: "ask", kind: "approval" as const, config: { prompt: "Go on?" } }, END];
    const run = started(version(nodes));
    write(run);
    write(run);
    run.work(result({ type: "request_human_input", prompt: "" }));
    const { answer, unwinding } = comesTrue(run);
    expect(unwinding?.to).toBe("cancelled");
    expect(answer?.ends).toBe("cancelled");
    expect(answer?.undone.map(({ node }) => node)).toEqual(["w2", "w1"]);
  });

  it("leaves a subgraph without a route", () => {
    const inner = version([{ id: "ask", kind: "approval" as const, config: { prompt: "Go on?" } }, END]);
    const run = started(version([using("sub", "c"), END], {}, { subgraphs: [child("c", inner)] }));
    run.work(result());
    run.work(result({ type: "request_human_input", prompt: "" }));
    expect(told(run)?.ends).toBe("cancelled");
  });

  it("is null for a closed gate", () => {
    const run = atGate();
    const { gate } = openGate(run);
    decideAs(run, user(REVIEWER));
    const closed = run.state().gates[gate.id];
    expect(closed && describeRejection(run.published, run.state(), closed, run.now())).toBeNull();
  });

  it("contains no values", () => {
    const run = atGate(undefined, "canary-4711");
    expect(toCanonicalJson(told(run) as Json)).not.toContain("canary");
  });
});
