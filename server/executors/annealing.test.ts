import { expect, test } from "vitest";
import { findAgent, findNode, shown, stage, stageInput, type Line } from "@/server/executors/testing/stage";
import type { ExecutorInput, ModelRequest } from "@/server/executors/contract";
import { ModelError } from "@/server/models/contract";

const limited = (): never => {
  throw new ModelError("model_rate_limited", true, "wait", { retryAfterMs: 7_000, billed: "no" });
};

const inputWith = (annealing: object, answer: "text" | "json" = "text", evaluator = true): ExecutorInput =>
  stageInput(
    findNode({
      kind: "agent",
      write_keys: ["text"],
      config: { agent_id: "a", answer, annealing: { ...(evaluator ? { evaluator_id: "judge" } : {}), ...annealing } },
    }),
    { secret: "of the run" },
    ["judge"],
    { agent: findAgent("a") },
  );

const scored =
  (scores: readonly number[]) =>
  ({ task }: ModelRequest): Line => {
    const [name, n = ""] = task.split(".");

    return name === "try" ? `answer ${n}` : JSON.stringify({ score: scores[Number(n)] });
  };

const written = (value: unknown) => ({ type: "result", actions: [{ type: "update_memory", updates: [{ path: "text", value }] }] });

test("keeps the best answer and ends at the threshold", async () => {
  const play = stage(inputWith({ threshold: 0.9, max_iterations: 9 }), { model: scored([0.2, 0.6, 0.95, 1]) });

  expect(await play.play()).toEqual(written("answer 2"));
  expect(play.requests.map(({ task }) => task)).toEqual(["try.0", "score.0", "try.1", "score.1", "try.2", "score.2"]);
});

test("ends on a too small improvement and never replaces a better answer", async () => {
  const play = stage(inputWith({ diminishing_returns_delta: 0.1 }), { model: scored([0.5, 0.3, 0.7]) });

  expect(await play.play()).toEqual(written("answer 0"));
  expect(play.requests.filter(({ task }) => task.startsWith("try"))).toHaveLength(2);
});

test("lowers the temperature each try, shows the best answer, and allows neither writes nor hand-offs", async () => {
  const play = stage(inputWith({ max_iterations: 3, initial_temperature: 1, final_temperature: 0.25 }), { model: scored([0.1, 0.3, 0.6]) });
  await play.play();
  const tries = play.requests.filter(({ task }) => task.startsWith("try"));

  expect(tries.map(({ temperature }) => temperature)).toEqual([1, 0.5, 0.25]);
  expect(tries.map((request) => shown(request, "task"))).toEqual([
    undefined,
    { best_so_far: { answer: "answer 0", score: 0.1 } },
    { best_so_far: { answer: "answer 1", score: 0.3 } },
  ]);
  expect(tries.flatMap(({ tools }) => tools)).toEqual([]);
});

test("shows the evaluator the answer and criteria, not memory or goal", async () => {
  const play = stage(inputWith({ max_iterations: 1, criteria: "brevity" }), { model: scored([1]) });
  await play.play();
  const judge = play.requests.find(({ task }) => task === "score.0");

  expect(judge?.system).toContain("brevity");
  expect(judge && shown(judge, "task")).toEqual({ answer: "answer 0" });
  expect(judge?.prompt).not.toContain("of the run");
  expect(judge?.prompt).not.toContain("the goal");
});

test("without an evaluator the answer carries its score", async () => {
  const say = ({ task }: ModelRequest): Line => JSON.stringify({ n: task, rating: { value: task === "try.1" ? 0.9 : 0.1 } });
  const play = stage(inputWith({ score_path: "rating.value" }, "json", false), { model: say });

  expect(await play.play()).toEqual(written({ n: "try.1", rating: { value: 0.9 } }));
  expect(play.requests.map(({ task }) => task)).toEqual(["try.0", "try.1"]);
});

test("ranks an unusable answer below every usable one", async () => {
  const say = ({ task }: ModelRequest): Line => (task === "try.1" ? '{"ok":true}' : task.startsWith("try") ? "sorry" : '{"score":0}');

  expect(await stage(inputWith({ max_iterations: 2 }, "json"), { model: say }).play()).toEqual(written({ ok: true }));
});

test("fails the node before the first answer; later failures are recorded and the best answer wins", async () => {
  await expect(stage(inputWith({}), { model: limited }).play()).rejects.toMatchObject({ code: "model_rate_limited", retryAfterMs: 7_000 });

  const say = (request: ModelRequest): Line => (request.task === "try.1" ? limited() : scored([0.5])(request));
  const play = stage(inputWith({}), { model: say });
  expect(await play.play()).toEqual(written("answer 0"));
  expect(play.failed).toEqual({ "try.1": "model_rate_limited" });
});

test("a missing score is 0", async () => {
  const say = ({ task }: ModelRequest): Line => (task.startsWith("try") ? task : task === "score.0" ? "great!" : limited());
  const play = stage(inputWith({ max_iterations: 4, diminishing_returns_delta: 0 }), { model: say });

  expect(await play.play()).toEqual(written("try.0"));
  expect(play.failed).toEqual({ "score.1": "model_rate_limited", "score.2": "model_rate_limited", "score.3": "model_rate_limited" });
});
