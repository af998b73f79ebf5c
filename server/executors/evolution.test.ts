import { expect, test } from "vitest";
import { ownMember, type Json } from "@/lib/json";
import type { ModelRequest } from "@/server/executors/contract";
import { runEvolution } from "@/server/executors/evolution";
import { toRefused } from "@/server/executors/testing/plane";
import { findNode, shown, stage, stageInput, type Cast, type Line } from "@/server/executors/testing/stage";
import { ModelError } from "@/server/models/contract";

const inputWith = (config: object, seed = "5eed") =>
  stageInput(
    findNode({
      kind: "evolution",
      write_keys: ["winner", "report"],
      config: {
        candidate_id: "maker",
        fitness: { expression: "item.score" },
        population_size: 3,
        max_generations: 4,
        fitness_threshold: 100,
        write_to: "winner",
        report_to: "report",
        ...config,
      },
    }),
    { secret: "of the run" },
    ["maker", "judge"],
    { seed },
  );
const playing = (config: object, cast: Cast, seed?: string) => stage(inputWith(config, seed), cast);

const place = ({ task }: ModelRequest): [number, number] => {
  const [, generation, index] = task.split(".").map(Number);

  return [generation ?? -1, index ?? -1];
};
const climbing = (request: ModelRequest): Line => {
  const [generation, index] = place(request);

  return JSON.stringify({ score: generation * 10 + index });
};
const broken = (): never => {
  throw new ModelError("model_failed", true, "broken", { billed: "no" });
};
const won = (winner: Json, report: object) => ({
  type: "result",
  actions: [
    {
      type: "merge_parallel_results",
      updates: [
        { path: "winner", value: winner },
        { path: "report", value: report },
      ],
    },
  ],
});

test("the best of all generations wins, and the report explains it", async () => {
  const play = playing({}, { model: climbing });

  expect(await play.play()).toMatchObject(
    won({ score: 32 }, { fitness: 32, generation: 3, seed: "5eed", fitness_history: [2, 12, 22, 32] }),
  );
});

test("the elite survives without being asked again", async () => {
  const play = playing({ elite_count: 1, max_generations: 2 }, { model: climbing });
  await play.play();

  expect(play.requests.map(({ task }) => task).toSorted()).toEqual([
    "candidate.0.0",
    "candidate.0.1",
    "candidate.0.2",
    "candidate.1.1",
    "candidate.1.2",
  ]);
});

test("later candidates see two different parents with their fitness, at lower temperature", async () => {
  const play = playing({ elite_count: 0, max_generations: 3, final_temperature: 0.25 }, { model: climbing });
  await play.play();

  const asked = play.requests.map((request) => {
    const [generation, index] = place(request);
    const data = shown(request, "task");
    const parents = ownMember(data, "parents");
    const bornIn = (Array.isArray(parents) ? parents : []).map((parent: Json) => Math.floor(Number(ownMember(parent, "fitness")) / 10));
    expect(data).toMatchObject({ generation, index });
    expect(new Set(JSON.stringify(parents).match(/"fitness":\d+/g)).size).toBe(generation === 0 ? 0 : 2);

    return [generation, request.temperature, bornIn];
  });
  const each = (line: unknown) => [line, line, line];
  expect(asked).toEqual([...each([0, 1, []]), ...each([1, 0.5, [0, 0]]), ...each([2, 0.25, [1, 1]])]);
});

test("the same seed chooses the same parents, another one does not", async () => {
  const prompts = async (seed: string): Promise<string[]> => {
    const play = playing({ population_size: 6, elite_count: 0 }, { model: climbing }, seed);
    await play.play();

    return play.requests.map(({ task, prompt }) => task + prompt).toSorted();
  };
  const first = await prompts("a");

  expect(await prompts("a")).toEqual(first);
  expect(await prompts("b")).not.toEqual(first);
});

test("ends at the threshold and without improvement", async () => {
  expect(await playing({ fitness_threshold: 12 }, { model: climbing }).play()).toMatchObject(won({ score: 12 }, { generation: 1 }));
  const flat = playing({ stagnation_generations: 2, max_generations: 50 }, { model: () => '{"score":1}' });
  expect(await flat.play()).toMatchObject(won({ score: 1 }, { generation: 0, fitness_history: [1, 1, 1] }));
});

test.each(['{"score":-5}', '{"score":"9"}', '{"score":1e999}', "{}", "no JSON", '["score"]'])(
  "gives the candidate %s fitness 0",
  async (bad) => {
    const play = playing({ max_generations: 1 }, { model: (request) => (place(request)[1] === 1 ? '{"score":0.5}' : bad) });

    expect(await play.play()).toMatchObject(won({ score: 0.5 }, { fitness: 0.5 }));
    const worthless = playing({ max_generations: 1 }, { model: () => bad });
    expect(await worthless.play()).toMatchObject({ actions: [{ updates: [{}, { value: { fitness: 0, fitness_history: [0] } }] }] });
  },
);

test("a judge sees only the candidate; an unscored one has fitness 0", async () => {
  const fitness = { agent_id: "judge", criteria: "brevity" };
  const say = (request: ModelRequest): Line => {
    const [, index] = place(request);
    if (request.task.startsWith("candidate")) return `text ${index}`;

    return ["great", '{"score":3}', '{"score":-9}'][index] ?? "";
  };
  const play = playing({ fitness, max_generations: 1 }, { model: say });

  expect(await play.play()).toMatchObject(won("text 1", { fitness: 3 }));
  const judge = play.requests.find(({ task }) => task === "score.0.1");
  expect(judge && shown(judge, "task")).toEqual({ candidate: "text 1" });
  expect(judge?.system).toContain("brevity");
  expect(judge?.prompt).not.toContain("of the run");
});

test("best effort continues without failed candidates; fail fast does not; without candidates there is no winner", async () => {
  const some = (request: ModelRequest): Line => (place(request)[1] === 2 ? broken() : climbing(request));
  const play = playing({ max_generations: 1 }, { model: some });
  expect(await play.play()).toMatchObject(won({ score: 1 }, { fitness: 1 }));
  expect(play.failed).toEqual({ "candidate.0.2": "model_failed" });

  expect(await playing({ error_strategy: "fail_fast" }, { model: some }).play()).toMatchObject({ type: "failure", code: "model_failed" });
  expect(await playing({}, { model: broken }).play()).toMatchObject({ type: "failure", code: "evolution_no_candidates", retryable: true });
});

test("a spent budget ends the search with a failure", async () => {
  const input = inputWith({});
  const { gateways } = stage(input, {});
  const poor = { ...gateways, models: { generate: async () => toRefused("node_budget") } };

  expect(await runEvolution(input, poor, new AbortController().signal)).toMatchObject({ code: "node_budget", retryable: false });
});
