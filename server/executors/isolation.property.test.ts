import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { GraphInput } from "@/lib/graph/document";
import { END, FETCH, version } from "@/lib/engine/testing/kinds";
import { call, result, started, update } from "@/lib/engine/testing/run";
import type { Json } from "@/lib/json";
import type { ModelRequest } from "@/server/executors/contract";
import { workOnNode } from "@/server/executors/testing/decided";
import type { Line } from "@/server/executors/testing/stage";

type NodeInput = GraphInput["nodes"][number];

const READS = { read_keys: ["mail", "items", "topic", "mail.text"], write_keys: ["out", "note"] };
const node = (kind: NodeInput["kind"], config: object): NodeInput => ({ ...READS, id: "node", kind, config }) as NodeInput;
const judge = { type: "judge", agent_id: "plain", key: "mail", criteria: "It is polite." };
const mapOver = (worker: string, more: object = {}) =>
  node("map", { worker_node: worker, items: { from: "items" }, write_to: "out", ...more });

const KINDS: Readonly<Record<string, NodeInput>> = {
  agent: node("agent", { agent_id: "handy", write_to: "out" }),
  annealed: node("agent", { agent_id: "handy", write_to: "out", annealing: { evaluator_id: "plain", max_iterations: 2 } }),
  supervisor: node("supervisor", { agent_id: "plain", managed_nodes: ["worker"] }),
  voting: node("voting", { voters: [{ agent_id: "plain" }, { agent_id: "handy" }], strategy: "judge", judge_id: "plain", write_to: "out" }),
  evolution: node("evolution", {
    candidate_id: "plain",
    fitness: { agent_id: "plain" },
    population_size: 2,
    max_generations: 2,
    write_to: "out",
  }),
  verifier: node("verifier", { check: judge, write_to: "out" }),
  synthesizer: node("synthesizer", { agent_id: "plain", write_to: "out" }),
  reflection: node("reflection", { topic: "t", extractor: { type: "agent", agent_id: "plain" }, write_to: "out" }),
  map_of_agents: mapOver("worker", { synthesizer: { agent_id: "plain" } }),
  map_of_tools: mapOver("reader", { synthesizer: { agent_id: "plain" } }),
};

const WORKERS: readonly NodeInput[] = [
  { id: "worker", kind: "agent", read_keys: ["mail"], config: { agent_id: "handy" } },
  { id: "reader", kind: "tool", config: { server: "docs", tool: "read", arguments: { of: { item: "" } } } },
];

const speak = ({ task, step, tools }: ModelRequest): Line => {
  if (tools.length > 0 && step === 0 && !task.startsWith("score"))
    return { calls: [{ id: "c0", name: "docs__read", input: { of: "it" } }] };

  return JSON.stringify(task === "judge" ? { choice: 0, score: 1 } : { vote: task, next: "done", score: 0.5 });
};

const requestsOf = async (kind: NodeInput, isolate: boolean, said: string): Promise<string> => {
  const edges = [
    { id: "a", source: "fetch", target: "node" },
    { id: "b", source: "node", target: "end", kind: "default" as const },
  ];
  const graph = { isolate_untrusted: isolate, edges, end_nodes: ["end"], max_token_budget: 1_000_000 };
  const run = started(version([FETCH, kind, END, ...WORKERS], graph), { topic: "plans" });
  call(run, "docs", "read", { topic: "plans" }, said);
  run.work(result(update("mail", { text: said }), update("items", [said, said])));
  const answer: Json = { answer: said };
  const state = run.state();
  if (state.currentNode !== "node") throw new Error(`the run is at ${state.currentNode}`);
  const requests: ModelRequest[] = [];
  await workOnNode(run, {
    model: (request) => {
      requests.push(request);

      return speak(request);
    },
    tool: () => ({ status: "ok", result: answer }),
  });

  return JSON.stringify(requests);
};

const texts = fc
  .integer({ min: 3, max: 40 })
  .chain((length) =>
    fc.tuple(
      fc.string({ unit: fc.constantFrom("k", "q", "z"), minLength: length, maxLength: length }),
      fc.string({ unit: fc.constantFrom("J", "V", "X"), minLength: length, maxLength: length }),
    ),
  );

test.each(Object.entries(KINDS))(
  "runs that differ only in untrusted content send every model of a %s identical requests",
  async (_name, kind) => {
    await fc.assert(
      fc.asyncProperty(texts, async ([one, other]) => {
        const asked = await requestsOf(kind, true, one);
        expect(asked).not.toBe("[]");
        expect(await requestsOf(kind, true, other)).toBe(asked);
        expect(asked).not.toContain(one);
      }),
      { numRuns: 12 },
    );
  },
);

test.each(Object.entries(KINDS))("without isolation the models of a %s see it", async (_name, kind) => {
  expect(await requestsOf(kind, false, "kqzkqz")).toContain("kqzkqz");
});
