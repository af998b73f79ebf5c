import { expect, test } from "vitest";
import type { GraphInput } from "@/lib/graph/document";
import { buildApprovalView } from "@/lib/engine/approvals/approval-view";
import type { Label } from "@/lib/graph/label";
import { child, END, FETCH, fetchAs, step, using, version } from "@/lib/engine/testing/kinds";
import {
  call,
  getCode,
  decideAs,
  decision,
  openGate,
  result,
  REVIEWER,
  started,
  update,
  user,
  type TestRun,
} from "@/lib/engine/testing/run";
import { ask, drive } from "@/lib/engine/testing/work";

type NodeInput = GraphInput["nodes"][number];
type Edges = NonNullable<GraphInput["edges"]>;

const reviewer = user(REVIEWER);
const edge = (source: string, target: string, change: Partial<Edges[number]> = {}): Edges[number] => ({
  id: `${source}_${target}`,
  source,
  target,
  ...change,
});
const gateNode = (prompt: string): NodeInput => ({
  id: "ask",
  kind: "approval",
  read_keys: ["topic"],
  config: { prompt, review_keys: ["topic"] },
});
const question = result({ type: "request_human_input", prompt: "" });
const placeOf = (run: TestRun) => [...run.state().frames.map(({ node }) => node), run.state().currentNode];

const nested = (): TestRun => {
  const down = { inputs: { topic: "topic" } };
  const sub = (name: string, under: string) => using(name, under, down, { read_keys: ["topic"] });
  const lowest = child("b", version([gateNode("Lowest?"), step("low")]));
  const middle = child("a", version([gateNode("Middle?"), sub("below", "b"), step("mid")]));
  const run = started(version([gateNode("Outside?"), sub("sub", "a"), END], {}, { subgraphs: [middle, lowest] }));
  run.work(question);

  return run;
};

test("cycgraph: nested gates need a decision each, and no decision passes an inner or outer gate", () => {
  const run = nested();
  const old: ReturnType<typeof decision>[] = [];
  const levels = [
    { prompt: "Outside?", place: ["ask"], next: "sub" },
    { prompt: "Middle?", place: ["sub", "ask"], next: "below" },
    { prompt: "Lowest?", place: ["sub", "below", "ask"], next: "low" },
  ];
  for (const { prompt, place, next } of levels) {
    expect(run.state().status).toBe("waiting");
    expect(placeOf(run)).toEqual(place);
    expect(buildApprovalView(run.published, run.state(), openGate(run), "pii")).toMatchObject({
      prompt,
      lines: [{ path: "topic", before: { value: "plans" } }],
    });
    // A renamed decision does not pass.
    const id = openGate(run).gate.id;
    for (const body of old) {
      expect(getCode(run.propose(reviewer, body))).toBe("approval_closed");
      expect(getCode(run.propose(reviewer, { ...body, approval_id: id }))).toBe("nonce_mismatch");
    }
    expect(getCode(run.work(result()))).toBe("node_not_active");
    expect(placeOf(run)).toEqual(place);

    old.push(decision(run, reviewer));
    expect(getCode(decideAs(run, reviewer))).toBe("accepted");
    expect(run.state()).toMatchObject({ status: "running", currentNode: next });
    if (next === "low") break;
    run.work(result());
    // Outer decisions do not count.
    expect(getCode(run.work(result()))).toBe("action_not_granted");
    expect(getCode(run.work(question))).toBe("accepted");
  }
  run.work(result());
  drive(run);
  run.work(result());
  drive(run);
  run.work(result());
  expect(run.state().status).toBe("completed");
  expect(Object.values(run.state().gates).map(({ status }) => status)).toEqual(["approved", "approved", "approved"]);
});

test("cycgraph: a rejected nested gate blocks everything behind it, at every level", () => {
  const run = nested();
  for (let level = 0; level < 2; level += 1) {
    decideAs(run, reviewer);
    run.work(result());
    run.work(question);
  }
  expect(placeOf(run)).toEqual(["sub", "below", "ask"]);
  decideAs(run, reviewer, "reject");
  drive(run);
  const entered = run
    .records()
    .flatMap(({ record }) => record.control.flatMap((event) => (event.type === "node_entered" ? [event.node] : [])));
  for (const behind of ["low", "mid", "end"]) expect(entered).not.toContain(behind);
  expect(["cancelled", "failed"]).toContain(run.state().status);
});

const ROUTES: Record<string, { readonly node: NodeInput; readonly edges: Edges; readonly act: (run: TestRun) => void }> = {
  router: {
    node: { id: "way", kind: "router", read_keys: ["mail"], config: {} },
    edges: [edge("way", "a", { condition: 'memory.mail == "x"' }), edge("way", "b", { kind: "default" })],
    act: (run) => void run.work(result()),
  },
  supervisor: {
    node: { id: "way", kind: "supervisor", read_keys: ["mail"], config: { agent_id: "plain", managed_nodes: ["a", "b"] } },
    edges: [],
    act: (run) => void run.work(result({ type: "goto_node", node: "a" })),
  },
};

test.each(Object.entries(ROUTES))(
  "cycgraph: a subgraph does not remove strict taint from its inputs: %s",
  (_kind, { node, edges, act }) => {
    const inner = version([node, step("a"), step("b")], { strict_taint: false, edges, end_nodes: ["a", "b"] });
    const around = using("sub", "c", { inputs: { mail: "mail" }, outputs: { out: "out" } }, { read_keys: ["mail"], write_keys: ["out"] });
    const at = (mail: string, strict: boolean): TestRun => {
      const run = started(version([FETCH, around, END], { strict_taint: strict }, { subgraphs: [child("c", inner)] }));
      fetchAs(run, mail);
      run.work(result());
      expect(run.state().cells.find(({ path }) => path === "mail")?.label.integrity).toBe("untrusted");
      act(run);

      return run;
    };
    for (const mail of ["x", "y"]) {
      const run = at(mail, true);
      expect(run.state()).toMatchObject({ status: "waiting", currentNode: "way" });
      expect(openGate(run).gate).toMatchObject({ reason: "tainted_route", review_keys: ["mail"] });
    }
    const free = at("x", false);
    expect(free.state().status).toBe("running");
    free.work(result(update("out", "fixed text")));
    drive(free);
    const label: Label | undefined = free.state().cells.findLast(({ path }) => path === "out")?.label;
    expect(free.state().frames).toEqual([]);
    expect(label).toMatchObject({ integrity: "untrusted", provenance: expect.arrayContaining(["mcp:docs/read"]) as unknown });
  },
);

/** Untrusted data arrives by conversation or read. */
const supervised = (heard: boolean, said: string): TestRun => {
  const lead: NodeInput = {
    id: "lead",
    kind: "supervisor",
    read_keys: heard ? [] : ["mail"],
    config: { agent_id: "handy", managed_nodes: ["a", "b"] },
  };
  const edges = [edge("fetch", "lead"), edge("a", "end"), edge("b", "end"), edge("lead", "end")];
  const run = started(
    version([FETCH, lead, step("a"), step("b"), END], { strict_taint: true, edges, ...(heard ? { start_node: "lead" } : {}) }),
  );
  if (heard) {
    call(run, "docs", "read", {}, said);
    ask(run);
  } else fetchAs(run, said);

  return run;
};

test.each([
  ["reads", false],
  ["has heard in its conversation", true],
])("cycgraph: a supervisor does not bypass strict taint with what it %s", (_what, heard) => {
  const choices = ["a", "b"].map((said) => {
    const run = supervised(heard, said);
    run.work(result({ type: "goto_node", node: said }));
    expect(run.state()).toMatchObject({ status: "waiting", currentNode: "lead" });
    expect(openGate(run).gate.reason).toBe("tainted_route");
    expect(openGate(run).gate.review_keys).toEqual(heard ? [] : ["mail"]);
    decideAs(run, reviewer, "reject");
    drive(run);

    return run.records().flatMap(({ record }) => record.control.flatMap((event) => (event.type === "node_entered" ? [event.node] : [])));
  });
  expect(choices[0]).toEqual(choices[1]);
  for (const chosen of ["a", "b"]) expect(choices[0]).not.toContain(chosen);
});
