import { expect, test } from "vitest";
import { agentSchema, graphSchema, nodeSchema } from "@/lib/graph/document";
import { listFields, listVariants } from "@/lib/graph/field";
import { NODE_KINDS } from "@/lib/graph/kinds";
import { z } from "zod";
import { findFullFault, findLengthFault, getBounds } from "./bounds";
import { createValues, createVariant, followChange, type FormPlace } from "./initial-value";

const graph = graphSchema.parse({
  format: "countersign/graph/v1",
  id: "g",
  name: "G",
  memory: [
    { key: "topic", schema: { type: "string" } },
    { key: "items", schema: { type: "array" } },
  ],
  nodes: [
    { id: "first", kind: "router", config: {} },
    { id: "last", kind: "transform", config: { set: [{ path: "topic", value: "1" }] } },
    { id: "work", kind: "transform", config: { set: [{ path: "topic", value: "1" }] } },
    { id: "learns", kind: "reflection", config: { topic: "refunds" } },
  ],
  edges: [],
  start_node: "first",
  end_nodes: ["last"],
});
const catalog = { agents: [agentSchema.parse({ id: "writer", name: "Writer" })], tools: [], versions: [] };
const place: FormPlace = { graph, catalog, nodeId: "self" };
const { evolution, map, verifier, voting, agent } = NODE_KINDS;

const getField = (object: z.ZodObject, name: string) => {
  const found = listFields(object).find((field) => field.name === name);
  if (!found) throw new Error(`There is no field ${name}.`);

  return found;
};

test("a new node takes what there is: an agent, a list, a worker of the right kind that is no end", () => {
  expect(createValues(map.config, place)).toEqual({ worker_node: "work", items: { from: "items" } });
  expect(createValues(evolution.config, place)).toEqual({ candidate_id: "writer", fitness: { agent_id: "writer" } });
});

test("a new section has its preset fields and lists with one entry", () => {
  const section = (name: string) => {
    const { inner } = getField(agent.config, name);

    return inner instanceof z.ZodObject ? createValues(inner, place) : null;
  };
  expect(section("annealing")).toEqual({ evaluator_id: "writer" });
  expect(section("recall")).toEqual({ topics: ["refunds"] });
  expect(section("swarm")).toEqual({ peers: ["work"] });
});

test("another alternative keeps what it shares with the one before", () => {
  const { inner } = getField(verifier.config, "check");
  const [, schema, judge] = inner instanceof z.ZodUnion ? listVariants(inner) : [];
  const before = createVariant(schema, place, { type: "expression", expression: "true" });
  expect(before).toEqual({ type: "schema", key: "topic", schema: {} });
  expect(createVariant(judge, place, { ...before, key: "items" })).toEqual({ type: "judge", agent_id: "writer", key: "items" });
});

test("numbers follow the bound that depends on a changed field, so the node stays valid", () => {
  const before = evolution.config.parse({
    ...createValues(evolution.config, place),
    population_size: 5,
    elite_count: 4,
    selection: "tournament",
  });
  const after = followChange(evolution.config, place, { ...before, population_size: 2, initial_temperature: 0.1 });
  expect(after).toMatchObject({ elite_count: 1, tournament_size: 2, final_temperature: 0.1 });
  expect(nodeSchema.safeParse({ id: "e", kind: "evolution", config: after }).success).toBe(true);
});

test("a hidden field is dropped and a revealed one created; one with a default stays", () => {
  const before = { options: ["yes"], strategy: "judge", on_tie: "value" };
  const shown = followChange(voting.config, place, before);
  expect(shown).toEqual({ ...before, judge_id: "writer", tie_value: "yes" });
  expect(followChange(voting.config, place, { ...shown, strategy: "majority", on_tie: "fail" })).toEqual({
    options: ["yes"],
    strategy: "majority",
    on_tie: "fail",
  });
  const { inner } = getField(agent.config, "annealing");
  const annealing = { evaluator_id: "writer", score_path: "points" };
  expect(inner instanceof z.ZodObject && followChange(inner, place, annealing)).toEqual(annealing);
});

test("bounds come from the schema", () => {
  const bounds = (name: string) => getBounds(getField(evolution.config, name).inner);
  expect(bounds("population_size")).toEqual({ min: 2, max: 100, isInteger: true });
  expect(bounds("fitness_threshold")).toEqual({ min: 0, max: undefined, isInteger: false });
  expect(getBounds(z.number().int())).toEqual({ min: undefined, max: undefined, isInteger: true });
});

test("a text and a list say how long they may be", () => {
  const prompt = getField(NODE_KINDS.approval.config, "prompt").inner;
  expect(["", "x", "x".repeat(2_001)].map((text) => findLengthFault(prompt, text))).toEqual([
    "1 to 2,000 characters.",
    null,
    "1 to 2,000 characters.",
  ]);
  expect(findLengthFault(z.string().max(3), "four")).toBe("At most 3 characters.");
  expect(findLengthFault(z.string().min(2), "1")).toBe("At least 2 characters.");
  const { inner: topics } = getField(agent.config.shape.recall.unwrap(), "topics");
  expect([findFullFault(topics, 19), findFullFault(topics, 20)]).toEqual([null, "At most 20"]);
});
