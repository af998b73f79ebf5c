import { describe, expect, test } from "vitest";
import type { PublishedGraph } from "@/lib/graph/document";
import { computeVersionHash } from "@/lib/graph/publish";
import { agent, CONTEXT, drawn, gate, tool } from "@/lib/graph/testing/graph-builders";
import { computeServerReach, usesServer } from "./server-reach";

const parts = { agents: [...CONTEXT.agents], tools: [...CONTEXT.tools] };
const inner: PublishedGraph = {
  ...parts,
  graph: drawn([agent("ask_it", [], ["found"], "finder"), tool("again", "find", [], ["found"])], ["ask_it>again"]),
  subgraphs: [],
};
const version = computeVersionHash(inner);
const outer: PublishedGraph = {
  ...parts,
  tools: [],
  graph: drawn(
    [{ id: "step", kind: "subgraph", write_keys: ["found"], config: { graph_id: "drawn", version } }, agent("plan", ["found"], ["plan"])],
    ["step>plan"],
  ),
  subgraphs: [{ ...parts, graph: inner.graph, version }],
};

describe("a hostile server in one published version", () => {
  test("meets its readers, reaches what listens to it, and names its callers", () => {
    const graph = drawn(
      [
        tool("look", "find", [], ["seen"]),
        agent("plan", ["seen"], ["plan"], "doer"),
        gate("ask", { for_node: "act" }),
        tool("act", "update", ["plan"], []),
      ],
      ["look>plan", "plan>ask", "ask>act"],
    );
    const reach = computeServerReach({ ...parts, graph, subgraphs: [] }, "desk", []);

    expect(reach.callers).toEqual([
      { node: "look", by: ["node"] },
      { node: "plan", by: ["doer"] },
      { node: "act", by: ["node"] },
    ]);
    expect(reach.keys).toEqual(["seen", "plan"]);
    expect(reach.firstGates).toEqual(["ask"]);
    expect(reach.reachable.map(({ sink, gated }) => [sink.node, gated])).toEqual([
      ["plan", true],
      ["act", true],
    ]);
    expect(reach.told.map(({ name }) => name)).toEqual(["seen", "plan"]);
    expect(reach.waits).toEqual({ gated: 2, all: 2, gates: ["plan", "ask"] });
    expect(reach.titles).toEqual({ look: "look", plan: "plan", act: "act", ask: "ask" });
  });

  test("acts with our credentials and from its place before a person sees it", () => {
    const graph = drawn([tool("look", "find", [], ["seen"]), tool("tell", "post", ["seen"], [])], ["look>tell"]);
    const place = { id: "desk", host: "desk.example", credential: true };
    const sentence = (servers: readonly (typeof place)[]) =>
      computeServerReach({ ...parts, graph, subgraphs: [] }, "desk", servers).sentence;

    expect(sentence([place])).toBe(
      "Before the first approval it could: write 1 path, call 1 tool, act with 1 credential, reach 1 host, spend $0.00.",
    );
    expect(sentence([])).toBe("Before the first approval it could: write 1 path, call 1 tool, reach 0 hosts, spend $0.00.");
  });

  test("is found inside subgraphs, with its callers there", () => {
    expect(usesServer(outer, "desk")).toBe(true);
    expect(computeServerReach(outer, "desk", []).callers).toEqual([{ node: "step", by: ["finder", "node"] }]);
    expect(usesServer(outer, "other")).toBe(false);
  });

  test("lists the worst sinks and counts the rest", () => {
    const many = Array.from({ length: 20 }, (_, index) => tool(`n${index}`, index === 19 ? "update" : "post", ["seen"], []));
    const ways = many.map((_, index) => (index === 0 ? "look>n0" : `n${index - 1}>n${index}`));
    const reach = computeServerReach(
      { ...parts, graph: drawn([tool("look", "find", [], ["seen"]), ...many], ways), subgraphs: [] },
      "desk",
      [],
    );

    expect([reach.reachable.length, reach.more]).toEqual([12, 8]);
    expect(reach.reachable[0]?.sink).toMatchObject({ node: "n19", effect: "write" });
    expect(computeServerReach({ ...parts, graph: drawn([agent("alone", [], [])], []), subgraphs: [] }, "desk", [])).toMatchObject({
      weight: 0,
      callers: [],
    });
  });
});
