import { expect, test } from "vitest";
import type { GraphInput } from "@/lib/graph/document";
import type { Label } from "@/lib/graph/label";
import { getControlLabel } from "@/lib/engine/state";
import { END, FETCH, fetchAs, step, version } from "@/lib/engine/testing/kinds";
import { call, intent, result, settle, started, update, type TestRun } from "@/lib/engine/testing/run";
import { ask } from "@/lib/engine/testing/work";

type NodeInput = GraphInput["nodes"][number];
type Edges = NonNullable<GraphInput["edges"]>;

const labelAt = (run: TestRun, path: string): Label | undefined => run.state().cells.findLast((cell) => cell.path === path)?.label;
const DOCS = { integrity: "untrusted", provenance: expect.arrayContaining(["mcp:docs/read"]) as unknown };
const edge = (source: string, target: string, change: Partial<Edges[number]> = {}): Edges[number] => ({
  id: `${source}_${target}`,
  source,
  target,
  ...change,
});

const mapOverTool = (items: readonly number[]): TestRun => {
  const config = { worker_node: "w", items: { value: [...items] }, error_strategy: "best_effort" as const, errors_to: "note" };
  const map: NodeInput = { id: "m", kind: "map", write_keys: ["out", "note"], config: { ...config, write_to: "out" } };
  const worker: NodeInput = { id: "w", kind: "tool", config: { server: "docs", tool: "read", arguments: { item: { item: "" } } } };

  return started(version([map, END, worker], { edges: [edge("m", "end")] }));
};

test.each([
  ["answers every item", ["ok", "ok"]],
  ["fails for one item", ["ok", "tool_error"]],
  ["fails for every item", ["tool_error", "tool_error"]],
] as const)("cycgraph: a map over a tool that %s keeps taint", (_what, outcomes) => {
  const run = mapOverTool([1, 2]);
  outcomes.forEach((outcome, index) => {
    run.work({ ...intent("docs", "read", { item: index + 1 }, `c${index}`), task: `item.${index}` });
    settle(run, { result: "hello", taint: null }, outcome);
  });
  run.work(result(update("out", ["hello", null]), update("note", [{ index: 1, code: "tool_error" }])));
  expect(run.state().currentNode).toBe("end");
  for (const path of ["out", "note"]) expect(labelAt(run, path)).toMatchObject(DOCS);
});

test.each([["expression"], ["schema"], ["judge"]] as const)(
  "cycgraph: a verifier keeps taint, in its verdict and on the route it chooses (%s)",
  (type) => {
    const checks = {
      expression: { type, expression: 'memory.mail == "hello"' },
      schema: { type, key: "mail", schema: { type: "string" } },
      judge: { type, agent_id: "plain", key: "mail" },
    };
    const check = { id: "v", kind: "verifier", read_keys: ["mail"], write_keys: ["out"], config: { check: checks[type] } } as NodeInput;
    const way: NodeInput = { id: "way", kind: "router", read_keys: ["out"], config: {} };
    for (const passed of [true, false]) {
      const run = started(
        version([FETCH, check, way, step("yes"), step("no"), END], {
          edges: [
            edge("fetch", "v"),
            edge("v", "way"),
            edge("way", "yes", { condition: "memory.out.passed" }),
            edge("way", "no", { kind: "default" }),
            edge("yes", "end"),
            edge("no", "end"),
          ],
        }),
      );
      fetchAs(run);
      if (type === "judge") ask(run, "judge");
      run.work(result(update("out", { passed, score: 1, reason: "ok" })));
      expect(labelAt(run, "out")).toMatchObject(DOCS);
      run.work(result());
      expect(run.state().currentNode).toBe(passed ? "yes" : "no");
      expect(getControlLabel(run.state())).toMatchObject(DOCS);
      run.work(result(update("note", "fixed text")));
      expect(labelAt(run, "note")).toMatchObject(DOCS);
    }
  },
);

test.each([
  ["by rule", { merge: "object" }],
  ["by an agent", { agent_id: "plain" }],
] as const)("cycgraph: a synthesizer keeps taint and names every source: %s", (how, config) => {
  const second: NodeInput = {
    id: "send",
    kind: "tool",
    write_keys: ["more"],
    config: { server: "web", tool: "send", arguments: {}, write_to: "more" },
  };
  const merge: NodeInput = { id: "merge", kind: "synthesizer", read_keys: ["topic", "mail", "more"], write_keys: ["out"], config };
  const run = started(version([FETCH, second, merge, END]));
  fetchAs(run);
  call(run, "web", "send", {}, "sent");
  run.work(result(update("more", "sent")));
  expect(labelAt(run, "topic")?.integrity).toBe("trusted");
  if (how === "by an agent") ask(run);
  run.work(result(update("out", { topic: "plans" })));
  expect(labelAt(run, "out")).toMatchObject({
    integrity: "untrusted",
    provenance: expect.arrayContaining(["mcp:docs/read", "mcp:web/send", ...(labelAt(run, "topic")?.provenance ?? ["none"])]) as unknown,
  });
});
