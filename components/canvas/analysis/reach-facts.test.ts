import { expect, test } from "vitest";
import { analyse } from "@/lib/graph/analyse";
import type { Subject } from "@/lib/graph/analyse/blast";
import { agent, CONTEXT, drawn, gate, tool } from "@/lib/graph/testing/graph-builders";
import { listReachFacts } from "./reach-facts";

const nodes = [
  agent("read", ["mail"], ["note"]),
  agent("plan", ["note"], ["plan"], "finder"),
  gate("ask", { for_node: "act" }),
  tool("act", "update", ["plan"], ["result"]),
];
const graph = drawn(nodes, ["read>plan", "plan>ask", "ask>act"], { inputs: { properties: { mail: {} } } });
const context = { ...CONTEXT, servers: [{ id: "desk", host: "desk.example", credential: true }] };
const blast = (subject: Subject) => analyse(graph, context).blastRadius(subject);
const nameOf = (id: string) => id.toUpperCase();

test("lists effects before the first approval, hosts, credentials and the first gates by title", () => {
  expect(listReachFacts(blast({ agent: "finder" }), nameOf).map(({ name, items }) => [name, items])).toEqual([
    ["Reads", ["note"]],
    ["Secrets", []],
    ["Writes", ["plan"]],
    ["Calls", ["desk__find"]],
    ["Hosts", ["desk.example"]],
    ["Credentials", ["of desk"]],
    ["Stored in", ["plan", "result"]],
    ["First approval", ["ASK"]],
  ]);
});

test("has a text for each empty fact", () => {
  for (const { items, none } of listReachFacts(blast({ agent: "missing" }), nameOf))
    expect([items, none]).toEqual([[], expect.stringMatching(/\.$/)]);
});
