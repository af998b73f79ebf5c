import { expect, test } from "vitest";
import { graphSchema, type Graph } from "@/lib/graph/document";
import { listEarlierValues } from "@/lib/graph/earlier-steps";
import { inferArguments } from "@/lib/graph/infer-arguments";
import type { JsonObject } from "@/lib/json";

const buildGraph = (more: object): Graph =>
  graphSchema.parse({ format: "countersign/graph/v1", id: "g", name: "G", nodes: [], edges: [], start_node: "a", end_nodes: [], ...more });

const text = { type: "string" };
const withMember = (key: string, ...names: readonly string[]) => ({
  key,
  schema: { type: "object", properties: Object.fromEntries(names.map((name) => [name, text])) },
});

const graph = buildGraph({
  memory: [{ key: "plan", schema: text }, withMember("order", "id", "note"), withMember("change", "note", "plan")],
});
const infer = (properties: JsonObject, before: Parameters<typeof inferArguments>[2] = {}) =>
  inferArguments({ type: "object", properties }, graph, before);

test("takes an argument from the key of its name, or from the only member of that name", () => {
  expect(infer({ plan: text, id: text })).toEqual({ plan: { from: "plan" }, id: { from: "order.id" } });
});

test("leaves an argument alone if two members have its name or nothing suggests a value", () => {
  expect(infer({ note: text, amount: { type: "number" }, open: true })).toEqual({});
});

test("uses the constant, the default or the only choice of the tool", () => {
  expect(infer({ a: { const: 1 }, b: { default: false }, c: { enum: ["x"] }, d: { enum: ["x", "y"] } })).toEqual({
    a: { value: 1 },
    b: { value: false },
    c: { value: "x" },
  });
});

test("keeps the arguments that are set, even those that the tool does not name", () => {
  const before = { plan: { value: "team" }, other: { from: "change" } };
  expect(infer({ plan: text }, before)).toEqual(before);
});

test("does not mistake inherited members for fields", () => {
  expect(infer({ constructor: text, toString: text })).toEqual({});
});

test("lists what earlier nodes write, the nearest first, and nothing of later ones", () => {
  const agent = (id: string, ...writes: readonly string[]) => ({ id, kind: "agent", write_keys: writes, config: { agent_id: "a" } });
  const chain = buildGraph({
    nodes: [
      agent("a", "found", "extra"),
      { id: "b", title: "Second", kind: "transform", write_keys: ["sum"], config: { set: [{ path: "sum", value: "1" }] } },
      { id: "c", kind: "tool", config: { server: "s", tool: "t" } },
      agent("d", "later"),
      agent("e", "*"),
    ],
    edges: [
      { id: "ab", source: "a", target: "b" },
      { id: "bc", source: "b", target: "c" },
      { id: "cd", source: "c", target: "d" },
      { id: "ea", source: "e", target: "a" },
    ],
  });
  expect(listEarlierValues(chain, "c")).toEqual([
    { path: "sum", node: "Second" },
    { path: "found", node: "a" },
    { path: "extra", node: "a" },
  ]);
  expect(listEarlierValues(chain, "e")).toEqual([]);
});
