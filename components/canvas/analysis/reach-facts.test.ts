import { describe, expect, test } from "vitest";
import { analyse } from "@/lib/graph/analyse";
import type { Subject } from "@/lib/graph/analyse/blast";
import { agent, CONTEXT, drawn, gate, tool } from "@/lib/graph/testing/drawn";
import { gateText, reachFacts, reachSummary } from "./reach-facts";

const nodes = [
  agent("read", ["mail"], ["note"]),
  agent("plan", ["note"], ["plan"], "finder"),
  tool("tell", "post", ["note"], []),
  gate("ask", { for_node: "act" }),
  tool("act", "update", ["plan"], ["result"]),
];
const graph = drawn(nodes, ["read>plan", "plan>tell", "tell>ask", "ask>act"], { inputs: { properties: { mail: {} } } });
const blast = (subject: Subject) => analyse(graph, CONTEXT).blastRadius(subject);
const nameOf = (id: string) => id.toUpperCase();

describe("the sentence about somebody hostile", () => {
  test("counts what happens outside the run with nobody asked", () => {
    expect(reachSummary(blast({ node: "read" }))).toBe(
      "Before a person sees anything it could write 1 path and call 0 tools. Outside the run it steers 1 call that nobody is asked about.",
    );
  });

  test("says so when a person decides about everything outside, and when there is nothing", () => {
    expect(reachSummary(blast({ node: "act" }))).toContain("changes nothing before a person decides");
    const alone = drawn([agent("read", [], ["note"])], []);
    expect(reachSummary(analyse(alone, CONTEXT).blastRadius({ node: "read" }))).toContain("Nothing outside the run.");
    expect(reachSummary(blast({ agent: "nobody" }))).toContain("No node that a run can reach works with it.");
  });
});

test("the facts name grants, tools, keys and the first gates by title, and have words for nothing", () => {
  expect(reachFacts(blast({ agent: "finder" }), nameOf).map(({ name, items }) => [name, items])).toEqual([
    ["Reads", ["note"]],
    ["Writes", ["plan"]],
    ["Calls", ["desk__find"]],
    ["Ends up in", ["plan", "result"]],
    ["Met first by", ["ASK"]],
  ]);
  for (const { items, none } of reachFacts(blast({ agent: "nobody" }), nameOf))
    expect([items, none]).toEqual([[], expect.stringMatching(/\.$/)]);
});

test("a gate that something gets in behind is not said to hold", () => {
  expect(gateText({ gated: true, gates: ["ask"] }, nameOf)).toBe("Waits for a person at “ASK”");
  expect(gateText({ gated: true, gates: [] }, nameOf)).toBe("Waits for a person, by rule");
  expect(gateText({ gated: false, gates: [] }, nameOf)).toBe("Nobody is asked");
  expect(gateText({ gated: false, gates: ["ask"] }, nameOf)).toBe("Nobody is asked: it comes in behind “ASK”");
});
