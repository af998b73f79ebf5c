import * as fc from "fast-check";
import type { GraphInput, PublishedGraph } from "@/lib/graph/document";
import { child, FETCH, step, using, version, writer } from "@/lib/engine/testing/kinds";

type NodeInput = GraphInput["nodes"][number];

export const IDS = ["n0", "n1", "n2", "n3", "n4"] as const;
export const KEYS = ["mail", "items", "out", "note", "clean", "person", "salary", "is_admin", "topic"] as const;

const keys = fc.uniqueArray(fc.constantFrom<string>(...KEYS), { maxLength: 4 });
const id = fc.constantFrom<string>(...IDS);
const agentId = fc.constantFrom("plain", "reader", "handy", "blind");

const config = fc.oneof(
  agentId.map((agent_id) => ({ kind: "agent", config: { agent_id } })),
  fc.tuple(agentId, id).map(([agent_id, peer]) => ({ kind: "agent", config: { agent_id, swarm: { peers: [peer], max_handoffs: 2 } } })),
  agentId.map((agent_id) => ({ kind: "agent", config: { agent_id, annealing: { evaluator_id: "plain" } } })),
  fc.constant({ kind: "router", config: {} }),
  fc.constant({ kind: "transform", config: { set: [{ path: "out", value: "1" }] } }),
  fc
    .tuple(id, fc.option(id, { nil: undefined }), fc.constantFrom(true, true, true, false))
    .map(([rejection_node, expiry_node, promotes]) => ({
      kind: "approval",
      config: {
        prompt: "?",
        rejection_node,
        ...(expiry_node && { expiry_node }),
        review_keys: ["mail"],
        promote: promotes ? [{ from: "mail", to: "clean" }] : [],
      },
    })),
  fc
    .uniqueArray(id, { minLength: 1, maxLength: 3 })
    .map((managed_nodes) => ({ kind: "supervisor", config: { agent_id: "plain", managed_nodes, max_iterations: 3 } })),
  fc.constant({
    kind: "map",
    config: { worker_node: "worker", items: { from: "items" }, max_items: 2, synthesizer: { agent_id: "plain" } },
  }),
  fc.constant({
    kind: "voting",
    config: { voters: [{ agent_id: "handy" }, { agent_id: "reader" }], strategy: "judge", judge_id: "plain" },
  }),
  fc.constant({
    kind: "evolution",
    config: { candidate_id: "plain", fitness: { agent_id: "plain" }, population_size: 3, max_generations: 2 },
  }),
  fc.constant({ kind: "verifier", config: { check: { type: "judge", agent_id: "plain", key: "mail" } } }),
  fc.constant({ kind: "synthesizer", config: { agent_id: "plain" } }),
  fc.constant({ kind: "reflection", config: { topic: "t" } }),
  fc.constant({ kind: "code", config: { source: "export default () => 1", write_to: "out" } }),
  fc
    .constantFrom({ type: "duration", ms: 60_000 }, { type: "event", timeout_ms: 60_000 })
    .map((until) => ({ kind: "wait", config: { until, ...(until.type === "event" ? { write_to: "out" } : {}) } })),
);

const node = (name: string): fc.Arbitrary<NodeInput> =>
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.tuple(config, keys, keys, fc.boolean()).map(
        ([made, read_keys, write_keys, always]) =>
          // Promotion needs a grant for its target.
          ({
            ...made,
            id: name,
            read_keys,
            write_keys: made.kind === "approval" ? ["clean"] : write_keys,
            approval: always ? "always" : "by_rule",
          }) as NodeInput,
      ),
    },
    { weight: 2, arbitrary: fc.constant(writer(name)) },
    { weight: 1, arbitrary: fc.constant({ ...FETCH, id: name }) },
    {
      weight: 2,
      arbitrary: fc.constant(
        using(name, "c", { inputs: { mail: "mail" }, outputs: { out: "out" } }, { read_keys: ["mail"], write_keys: ["out"] }),
      ),
    },
  );

const CONDITIONS = [
  undefined,
  'memory.mail == "a"',
  "has(memory.out)",
  "run.iteration_count < 6",
  "memory.items.size() > 0",
  "memory.nowhere.x",
] as const;
const edge = (index: number) =>
  fc
    .tuple(id, id, fc.constantFrom("normal", "normal", "default", "error", "timeout"), fc.constantFrom(...CONDITIONS))
    .map(([source, target, kind, condition]) => ({
      id: `e${index}`,
      source,
      target,
      kind: kind as "normal",
      ...(condition === undefined || kind !== "normal" ? {} : { condition }),
    }));

const nodes = fc.tuple(...IDS.map(node));
const WORKER: NodeInput = {
  id: "worker",
  kind: "agent",
  read_keys: ["clean"],
  config: { agent_id: "handy" },
  failure_policy: { attempts: 2 },
};
const ways = fc.tuple(...Array.from({ length: 7 }, (_none, index) => edge(index)));

const graph = fc
  .tuple(nodes, ways, fc.boolean(), fc.constantFrom(undefined, 60, 200), fc.uniqueArray(id, { minLength: 1, maxLength: 3 }))
  .map(([list, edges, strict_taint, max_token_budget, end_nodes]) => ({
    list,
    limits: { edges: [...edges], start_node: "n0", end_nodes, strict_taint, max_token_budget, max_iterations: 15 },
  }));

/** Graph of all kinds with its subgraph. */
export const anyVersion: fc.Arbitrary<PublishedGraph> = fc.tuple(graph, graph).map(([outer, inner]) => {
  const leaf = version([step("leaf")]);
  const nested = version(
    [...inner.list, WORKER].map((one) => (one.kind === "subgraph" ? using(one.id, "d") : one)),
    { ...inner.limits, max_iterations: 6 },
  );

  return version([...outer.list, WORKER], outer.limits, { subgraphs: [child("c", nested), child("d", leaf)] });
});
