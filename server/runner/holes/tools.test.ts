import { expect, test } from "vitest";
import { AGENTS, version } from "@/lib/engine/testing/kinds";
import type { GraphInput } from "@/lib/graph/document";
import type { ModelRequest } from "@/server/executors/contract";
import { decided } from "@/server/executors/testing/decided";

type NodeInput = GraphInput["nodes"][number];

const end: NodeInput = { id: "end", kind: "router", config: {} };
const worker: NodeInput = { id: "worker", kind: "agent", config: { agent_id: "handy" } };
const agent_id = "handy";
const write_keys = ["out"];

const KINDS: Record<string, NodeInput> = {
  agent: { id: "n", kind: "agent", write_keys, config: { agent_id } },
  annealing: { id: "n", kind: "agent", write_keys, config: { agent_id, annealing: { max_iterations: 2 } } },
  supervisor: { id: "n", kind: "supervisor", config: { agent_id, managed_nodes: ["end"] } },
  map: { id: "n", kind: "map", write_keys, config: { worker_node: "worker", items: { value: [1] } } },
  "map's synthesizer": {
    id: "n",
    kind: "map",
    write_keys,
    config: { worker_node: "worker", items: { value: [] }, synthesizer: { agent_id } },
  },
  voting: { id: "n", kind: "voting", write_keys, config: { voters: [{ agent_id }] } },
  evolution: {
    id: "n",
    kind: "evolution",
    write_keys,
    config: { candidate_id: agent_id, fitness: { expression: "1.0" }, population_size: 2, max_generations: 1, tournament_size: 2 },
  },
  synthesizer: { id: "n", kind: "synthesizer", write_keys, config: { agent_id } },
  reflection: { id: "n", kind: "reflection", write_keys, config: { topic: "t", extractor: { type: "agent", agent_id } } },
};

const offered = async (node: NodeInput, tools: (typeof AGENTS)[number]["tools"]) => {
  const agents = AGENTS.map((agent) => ({ ...agent, tools, max_steps: 2 }));
  const requests: ModelRequest[] = [];
  const edges = [{ id: "e", source: "n", target: "end" }];
  const { run, refusals } = await decided(
    version([node, end, worker], { edges, end_nodes: ["end"] }, { agents }),
    {},
    {
      model: (request) => {
        requests.push(request);

        return request.step === 0 ? { calls: [{ id: "c0", name: "docs__read", input: {} }] } : '{"vote":1}';
      },
    },
  );
  const names = requests.flatMap((request) => request.tools.map(({ name }) => name)).filter((name) => name.includes("__"));

  return { asked: requests.length, names: new Set(names), refusals, effects: Object.keys(run.state().effects).length };
};

test.each(Object.entries(KINDS))(
  "cycgraph: an empty list of tools offers none, and gets none, in every kind that asks a model: %s",
  async (_kind, node) => {
    const all = AGENTS.find(({ id }) => id === "handy")?.tools ?? [];
    const without = await offered(node, []);
    expect(without.asked).toBeGreaterThan(0);
    expect(without).toMatchObject({ names: new Set(), effects: 0 });
    expect(new Set(without.refusals)).toEqual(new Set(["tool_not_granted"]));
    const having = await offered(node, all);
    expect(having.names).toContain("docs__read");
    expect(having.effects).toBeGreaterThan(0);
  },
);
