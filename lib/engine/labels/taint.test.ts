import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { GraphInput } from "@/lib/graph/document";
import { getControlLabel } from "@/lib/engine/state";
import { edgesWith, nodesWith, publishWith, SMALL_GRAPH } from "@/lib/engine/testing/graph";
import {
  atGate,
  atParse,
  atTriage,
  call,
  getCode,
  decideAs,
  decision,
  engine,
  intent,
  openGate,
  result,
  REVIEWER,
  settle,
  started,
  update,
  user,
  type TestRun,
} from "@/lib/engine/testing/run";

const reviewer = user(REVIEWER);
const labelAt = (run: TestRun, path: string) => run.state().cells.find((cell) => cell.path === path)?.label;
const rescueOnError = (edges: GraphInput["edges"] = SMALL_GRAPH.edges) => [
  ...(edges ?? []),
  { id: "triage_failed", source: "triage", target: "rescue", kind: "error" as const },
];

describe("labels", () => {
  it("of a tool's answer are untrusted, name the tool, and pass through an agent", () => {
    const run = atTriage();
    expect(labelAt(run, "mail")).toMatchObject({ integrity: "untrusted" });
    expect(labelAt(run, "request")).toMatchObject({ integrity: "untrusted" });
    expect(labelAt(run, "request")?.provenance).toContain("mcp:docs/read");
  });

  it("of an agent's conversation reach its writes, even without read grants", () => {
    const run = started(publishWith({ start_node: "parse", nodes: nodesWith("parse", { read_keys: [] }) }));
    run.work({ kind: "action", action: update("note", "before") });
    expect(labelAt(run, "note")?.integrity).toBe("trusted");
    run.work(intent("crm", "update", { plan: "x" }));
    decideAs(run, reviewer);
    run.work(intent("crm", "update", { plan: "x" }));
    settle(run, "from outside");
    run.work({ kind: "action", action: update("note", "after") });
    expect(labelAt(run, "note")).toMatchObject({ integrity: "untrusted" });
  });

  it("of secrets spread per key", () => {
    const run = atParse(publishWith({ nodes: nodesWith("parse", { read_keys: ["salary"] }) }), { topic: "plans", salary: 1 });
    run.work({ kind: "action", action: update("note", "x") });
    expect(labelAt(run, "note")?.confidentiality).toBe("secret");
    expect(labelAt(run, "topic")?.confidentiality).toBe("internal");
  });

  it("of the goal reach a transform that uses it", () => {
    const run = started(publishWith({ start_node: "decline" }));
    run.work({ kind: "action", action: update("result", "goal") });
    expect(labelAt(run, "result")).toMatchObject({ confidentiality: "internal", provenance: [expect.stringMatching(/^user:/)] });
  });

  it("of an approved write are unchanged: approval does not clean", () => {
    const run = atParse();
    run.work(result(update("is_admin", true)));
    decideAs(run, reviewer);
    expect(labelAt(run, "is_admin")?.integrity).toBe("untrusted");
  });

  it("follow a branch: writes on a route chosen by untrusted data are untrusted", () => {
    const run = atTriage(undefined, "free");
    run.work(result());
    run.work(result(update("result", "declined")));
    expect(labelAt(run, "result")?.integrity).toBe("untrusted");
  });

  it("follow reads of members whose names are no paths", () => {
    const odd = publishWith({
      edges: edgesWith("parsed", { condition: 'memory.mail["odd name"] == "x"' })?.concat({
        id: "else",
        source: "parse",
        target: "decline",
        kind: "default",
      }),
    });
    const run = started(odd);
    call(run, "docs", "read", { topic: "plans" }, {});
    run.work(result(update("mail", { "odd name": "x" })));
    run.work(result());
    expect(run.state().currentNode).toBe("triage");
    expect(getControlLabel(run.state()).integrity).toBe("untrusted");
  });

  it("follow a failure: a server or model cannot fail on purpose to choose a clean route", () => {
    const run = started(publishWith());
    run.work({ kind: "node_failure", code: "tool_error", retryable: false, detail: "", jitter: 0, retry_after_ms: null });
    run.work(result(update("result", "rescued")));
    expect(labelAt(run, "result")?.integrity).toBe("untrusted");
  });

  it("follow a failed condition", () => {
    const run = atTriage(publishWith({ edges: rescueOnError(edgesWith("free", { condition: "memory.request.plan > 1" })) }));
    run.work(result());
    expect(run.state().currentNode).toBe("rescue");
    expect(getControlLabel(run.state()).integrity).toBe("untrusted");
  });
});

describe("strict taint", () => {
  const CONDITIONS = [
    'memory.request.plan == "free"',
    'memory.request.plan != "free"',
    '!(memory.request.plan == "free")',
    'memory.request.plan == "free" || memory.request.plan == "team"',
    'has(memory.request.plan) && memory.request.plan == "free"',
    "has(memory.request)",
    '"plan" in memory.request',
    'memory.request == "free"',
    "memory.request == {}",
    'memory.mail.text.startsWith("h") ? true : false',
    "[memory.request].size() == 1",
    'memory["request"]["plan"] == "free"',
    "memory.request.plan > 1",
    "memory.request.missing == 1",
    'memory.topic == "plans" && memory.request.plan == "free"',
    "memory.mail.exists(key, key == 'text')",
  ] as const;
  const seeing = nodesWith("triage", { read_keys: ["request", "mail", "topic"] });
  const deciding = (condition: string, strictTaint: boolean) =>
    publishWith({ strict_taint: strictTaint, nodes: seeing, edges: rescueOnError(edgesWith("free", { condition })) });
  const strict = (condition: string) => deciding(condition, true);

  it.each(CONDITIONS)("holds at %s, whatever the result", (condition) => {
    for (const plan of ["free", "team"]) {
      const run = atTriage(strict(condition), plan);
      run.work(result());
      expect(run.state()).toMatchObject({ status: "waiting", currentNode: "triage" });
      const { gate } = openGate(run);
      expect(gate.reason).toBe("tainted_route");
      expect(gate.transition.reads.length).toBeGreaterThan(0);
      expect(gate.review_keys).toEqual([...new Set(gate.transition.reads.map((read) => read.path))]);
    }
  });

  it.each(CONDITIONS)("continues at %s exactly as without it", (condition) => {
    for (const plan of ["free", "team"]) {
      const held = atTriage(strict(condition), plan);
      held.work(result());
      expect(getCode(decideAs(held, reviewer))).toBe("accepted");
      const free = atTriage(deciding(condition, false), plan);
      free.work(result());
      expect(held.state().currentNode).toBe(free.state().currentNode);
      expect(held.state()).toMatchObject({ status: "running", iterationCount: free.state().iterationCount });
      expect(held.state().controls).toEqual(free.state().controls);
      expect(getControlLabel(held.state()).integrity).toBe("untrusted");
    }
  });

  it("does not hold where only trusted values were read, or none", () => {
    const run = atTriage(strict('memory.topic == "plans" || memory.request.plan == "free"'));
    run.work(result());
    expect(run.state()).toMatchObject({ status: "running", currentNode: "decline" });
  });

  it("holds on the node's own new write, and keeps the write once", () => {
    const edges = [
      ...(edgesWith("parsed", { condition: 'memory.request.plan == "team"' }) ?? []),
      { id: "else", source: "parse", target: "decline", kind: "default" as const },
    ];
    const run = atParse(publishWith({ strict_taint: true, edges }));
    run.work(result(update("request", { plan: "team" })));
    expect(run.state()).toMatchObject({ status: "waiting", currentNode: "parse" });
    const cell = run.state().cells.find(({ path }) => path === "request");
    expect(openGate(run).gate.transition.reads).toEqual([{ path: "request", seq: cell?.seq, commitment: null }]);
    decideAs(run, reviewer);
    expect(run.state().currentNode).toBe("triage");
    expect(run.state().cells.filter(({ path }) => path === "request")).toEqual([cell]);
  });

  it("takes the error edge after a rejection or expiry, never the held one", () => {
    const condition = 'memory.request.plan == "free"';
    const rejected = atTriage(strict(condition), "free");
    rejected.work(result());
    decideAs(rejected, reviewer, "reject");
    expect(rejected.state().currentNode).toBe("rescue");
    const expired = atTriage(publishWith({ strict_taint: true }), "free");
    expired.work(result());
    expired.pass(86_400_000);
    expired.propose(engine, { kind: "expire", approval_id: openGate(expired).gate.id });
    expect(expired.state()).toMatchObject({ status: "failed", currentNode: null });
  });

  it("holds behind an approval too, and asks again about the route", () => {
    const edges = [
      ...(edgesWith("asked", { condition: 'memory.request.plan == "team"' }) ?? []),
      { id: "else", source: "ask", target: "decline", kind: "default" as const },
      { id: "free_way", source: "triage", target: "ask" },
    ].filter((edge) => edge.id !== "free" && edge.id !== "other");
    const run = atGate(publishWith({ strict_taint: true, edges }));
    const first = openGate(run).gate;
    decideAs(run, reviewer);
    expect(run.state()).toMatchObject({ status: "waiting", currentNode: "ask" });
    expect(openGate(run).gate.id).not.toBe(first.id);
    expect(getCode(run.propose(reviewer, { ...decision(run, reviewer), approval_id: first.id }))).toBe("approval_closed");
    decideAs(run, reviewer);
    expect(run.state()).toMatchObject({ status: "running", currentNode: "write" });
  });

  it("lets no untrusted value choose: runs that differ only in it hold alike", () => {
    fc.assert(
      fc.property(fc.constantFrom(...CONDITIONS), fc.string({ maxLength: 8 }), fc.string({ maxLength: 8 }), (condition, a, b) => {
        const ways = [a, b].map((plan) => {
          const run = atTriage(strict(condition), plan);
          run.work(result());

          return [run.state().status, run.state().currentNode];
        });
        expect(ways[0]).toEqual(ways[1]);
      }),
      { numRuns: 60 },
    );
  });
});
