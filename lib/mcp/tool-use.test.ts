import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { PublishedGraph } from "@/lib/graph/document";
import { computeVersionHash } from "@/lib/graph/publish";
import { agent, CONTEXT, drawn, tool } from "@/lib/graph/testing/graph-builders";
import { listPossibleCalls, collectEvidence, FEWEST_RUNS, MOST_RUNS, undoTools, judgeFlow, type RunUse, type ToolCall } from "./tool-use";

const call = (caller: string, name = "find"): ToolCall => ({ caller, server: "desk", tool: name });
const is =
  (meant: ToolCall) =>
  ({ caller, server, tool: name }: ToolCall): boolean =>
    caller === meant.caller && server === meant.server && name === meant.tool;
const run = (atMs: number, could: readonly ToolCall[], did: readonly ToolCall[] = []): RunUse => ({ atMs, could, did });
const runs = (amount: number, could: readonly ToolCall[], did: readonly ToolCall[] = []) =>
  Array.from({ length: amount }, (_, index) => run(1_000 - index, could, did));

describe("evidence about a grant", () => {
  test("uses only runs in which the call was possible", () => {
    const found = collectEvidence([...runs(3, [call("planner")]), ...runs(40, [call("parser")])], is(call("planner")));
    expect(found).toEqual({ runs: 3, used: 0, lastAtMs: null });
  });

  test("counts calls that no version declared", () => {
    expect(collectEvidence([run(7, [], [call("planner")])], is(call("planner")))).toEqual({ runs: 1, used: 1, lastAtMs: 7 });
  });

  test("uses the last fifty runs", () => {
    const [meant] = [call("planner")];
    const found = collectEvidence([...runs(MOST_RUNS, [meant]), run(1, [meant], [meant])], is(meant));
    expect(found).toEqual({ runs: MOST_RUNS, used: 0, lastAtMs: null });
  });

  test('is not "unused" for fewer than five runs, after a call, or for an undo', () => {
    const drawnRuns = fc
      .tuple(fc.array(fc.boolean(), { maxLength: 80 }), fc.array(fc.nat(79), { maxLength: 2 }))
      .map(([could, calls]) => could.map((may, index) => [may, calls.includes(index)] as const));
    fc.assert(
      fc.property(drawnRuns, fc.boolean(), (drawnUse, undoes) => {
        const meant = call("planner");
        const evidence = collectEvidence(
          drawnUse.map(([could, did], index) => run(index, could ? [meant] : [], did ? [meant] : [])),
          is(meant),
        );
        const verdict = judgeFlow(evidence, undoes);

        expect(verdict === "unused").toBe(evidence.runs >= FEWEST_RUNS && evidence.used === 0 && !undoes);
        expect(verdict === "used").toBe(evidence.used > 0);
        expect(evidence.runs).toBeLessThanOrEqual(MOST_RUNS);
      }),
    );
  });
});

describe("possible calls", () => {
  const parts = { agents: [...CONTEXT.agents], tools: [...CONTEXT.tools] };
  const graph = drawn([agent("plan", [], ["plan"], "finder"), tool("look", "find", [], ["seen"])], ["plan>look"]);

  test("are the version's pins for active agents, and for tool nodes", () => {
    expect(listPossibleCalls({ ...parts, graph, subgraphs: [] }, new Set())).toEqual([call("node")]);
    expect(listPossibleCalls({ ...parts, graph, subgraphs: [] }, new Set(["finder"]))).toEqual([call("finder"), call("node")]);
    expect(listPossibleCalls({ ...parts, graph, tools: [], subgraphs: [] }, new Set(["finder"]))).toEqual([]);
  });

  test("include subgraphs and undos", () => {
    const undoing = drawn([{ ...tool("act", "update", [], []), compensation: { server: "desk", tool: "post", arguments: {} } }], []);
    const inner: PublishedGraph = { ...parts, graph: undoing, subgraphs: [] };
    const outer: PublishedGraph = { ...parts, graph, subgraphs: [{ ...parts, graph: undoing, version: computeVersionHash(inner) }] };

    expect(listPossibleCalls(outer, new Set())).toEqual([call("node"), call("node", "update")]);
    expect(undoTools(outer)).toEqual([{ server: "desk", tool: "post" }]);
  });
});
