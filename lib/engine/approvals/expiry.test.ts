import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeExpiry, describeRejection } from "@/lib/engine/approvals/rejection";
import { plan } from "@/lib/engine/plan";
import { nodesWith, publishWith } from "@/lib/engine/testing/graph";
import {
  atGate,
  atParse,
  decideAs,
  engine,
  getCode,
  intent,
  newRun,
  openGate,
  result,
  REVIEWER,
  startBody,
  STARTER,
  update,
  user,
  type TestRun,
} from "@/lib/engine/testing/run";
import { anyVersion } from "@/lib/engine/testing/any-graph";
import type { RunEvent } from "@/lib/engine/event";

const DAY_MS = 86_400_000;
const CONFIG = { prompt: "Write it?", review_keys: ["request"], for_node: "write" };
const asking = (change: Record<string, unknown>) => publishWith({ nodes: nodesWith("ask", { config: { ...CONFIG, ...change } }) });

const expire = (run: TestRun) => {
  const { id, expires_at: until } = openGate(run).gate;
  run.pass(until - run.now());
  expect(plan(run.published, run.state(), run.now(), 1)).toEqual({ type: "propose", body: { kind: "expire", approval_id: id } });
  expect(getCode(run.propose(engine, { kind: "expire", approval_id: id }))).toBe("accepted");

  return { ...run.state(), gate: run.state().gates[id] };
};

describe("an approval that expires", () => {
  const both = { rejection_node: "decline", expiry_node: "rescue" };

  it("goes to the expiry node, and a rejected one to the rejection node", () => {
    expect(expire(atGate(asking(both)))).toMatchObject({ currentNode: "rescue", status: "running", gate: { status: "expired" } });
    const rejected = atGate(asking(both));
    decideAs(rejected, user(REVIEWER), "reject");
    expect(rejected.state().currentNode).toBe("decline");
  });

  it("goes to the expiry node without a rejection node, which still ends the run if rejected", () => {
    expect(expire(atGate(asking({ expiry_node: "rescue" }))).currentNode).toBe("rescue");
    const rejected = atGate(asking({ expiry_node: "rescue" }));
    decideAs(rejected, user(REVIEWER), "reject");
    expect(rejected.state()).toMatchObject({ status: "cancelled", endReason: "rejected" });
  });

  it("without an expiry node follows the rejection node, or ends the run", () => {
    expect(expire(atGate(asking({ rejection_node: "decline" }))).currentNode).toBe("decline");
    expect(expire(atGate(asking({})))).toMatchObject({ status: "cancelled", endReason: "expired" });
  });

  it("gives no receipt, and its effect stays refused", () => {
    const run = atGate(asking({ expiry_node: "write" }));
    expect(expire(run)).toMatchObject({ currentNode: "write", gate: { receipt: null } });
    run.work(intent("crm", "update", { plan: "team" }));
    expect(run.state()).toMatchObject({ status: "waiting", effects: {} });
  });

  it("fails the node of a call with the code of an expiry, along its error edge", () => {
    const edges = [...publishWith().graph.edges, { id: "failed", source: "parse", target: "rescue", kind: "error" as const }];
    const run = atParse(publishWith({ edges }));
    run.work(result(update("is_admin", true)));
    expect(expire(run)).toMatchObject({ currentNode: "rescue", lastError: { node: "parse", code: "approval_expired" } });
  });

  it("does not count as a rejection of the call, which may be asked for again", () => {
    const run = atParse(
      publishWith({ edges: [...publishWith().graph.edges, { id: "again", source: "parse", target: "parse", kind: "error" }] }),
    );
    run.work(intent("crm", "update", { plan: "team" }));
    expect(expire(run).currentNode).toBe("parse");
    expect(getCode(run.work(intent("crm", "update", { plan: "team" })))).toBe("accepted");
    expect(openGate(run).status).toBe("open");
  });

  it("is predicted apart from a rejection", () => {
    const run = atGate(asking(both));
    const gate = openGate(run);
    expect(describeExpiry(run.published, run.state(), gate)).toMatchObject({ next: { node: "rescue" }, ends: null });
    expect(describeRejection(run.published, run.state(), gate, run.now())).toMatchObject({ next: { node: "decline" } });
    expect(describeExpiry(run.published, run.state(), { ...gate, status: "expired" })).toBeNull();
  });

  it("predicts what then happens", () => {
    const ended = atGate(asking({}));
    expect(describeExpiry(ended.published, ended.state(), openGate(ended))).toMatchObject({ ends: "cancelled", code: "expired" });
    const failing = atParse();
    failing.work(result(update("is_admin", true)));
    const told = describeExpiry(failing.published, failing.state(), openGate(failing));
    expect(told).toMatchObject({ ends: "failed", code: "approval_expired" });
    expect(expire(failing).status).toBe(told?.ends);
  });
});

const entered = (events: readonly RunEvent[]) => events.flatMap((event) => (event.type === "node_entered" ? [event.node] : []));

describe("in any graph", () => {
  const approvals = anyVersion.filter(({ graph }) => graph.nodes.some(({ id, kind }) => id === graph.start_node && kind === "approval"));

  it("an undecided approval continues at its expiry node, else as a rejection, after its time and never before", () => {
    fc.assert(
      fc.property(approvals, fc.integer({ min: 0, max: DAY_MS - 1 }), (published, earlyMs) => {
        const run = newRun(published);
        run.propose(user(STARTER, "builder"), startBody(published));
        run.propose(engine, { kind: "begin" });
        run.work(result({ type: "request_human_input", prompt: "" }));
        fc.pre(run.state().status === "waiting");
        const node = published.graph.nodes.find(({ id }) => id === published.graph.start_node);
        const { id } = openGate(run).gate;
        const expiring = { kind: "expire", approval_id: id } as const;
        run.pass(earlyMs);
        expect(getCode(run.propose(engine, expiring))).toBe("approval_not_due");
        run.pass(DAY_MS - earlyMs);
        const verdict = run.propose(engine, expiring);
        const config = node?.kind === "approval" ? node.config : { rejection_node: undefined };
        const expected = ("expiry_node" in config ? config.expiry_node : undefined) ?? config.rejection_node;
        expect(verdict.ok && entered(verdict.events)).toEqual([expected]);
        expect(run.state().gates[id]).toMatchObject({ status: "expired", receipt: null });
      }),
      { numRuns: 60 },
    );
  });
});
