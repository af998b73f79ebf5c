import { currentNode, reserve, say, tick, type World } from "@/bench/adversary/world";
import type { Random } from "@/bench/adversary/random";
import { tasksOf } from "@/bench/adversary/tasks";
import { uuid } from "@/lib/engine/testing/run";
import type { Strategies } from "./strategy";

const tasksHere = (world: World): readonly string[] => {
  const node = currentNode(world);

  return node ? tasksOf(node) : [""];
};
const someTask = (world: World, random: Random): string => random.some(tasksHere(world)) ?? "";

const spendAll = (world: World, tasks: readonly string[], random: Random): void => {
  const held = tasks.map((task) => [task, reserve(world, task, { tokens: random.pick([100, 400]) })] as const);
  for (const [task, id] of held) {
    const usage = {
      model: "m",
      input_tokens: random.pick([10, 90]),
      output_tokens: 5,
      cost_micro_usd: random.pick([0, 90]),
      price_source: "x",
    };
    if (id !== null) say(world, { kind: "model_call", task, reservation_id: id, step: 0, fresh: [], text: "", tool_calls: [], usage });
  }
};

export const BUDGETS: Strategies = {
  "call with no reservation": (world, random) => {
    const task = random.pick(["", someTask(world, random)]);
    const usage = { model: "m", input_tokens: 1, output_tokens: 1, cost_micro_usd: 0, price_source: "x" };
    const id = random.pick([uuid(700), "constructor", Object.keys(world.run.state().reservations).at(-1) ?? uuid(701)]);
    say(world, { kind: "model_call", task, reservation_id: id, step: 0, fresh: [], text: "", tool_calls: [], usage });
  },
  "use a reservation twice": (world) => {
    const id = reserve(world);
    const usage = { model: "m", input_tokens: 90, output_tokens: 0, cost_micro_usd: 90, price_source: "x" };
    for (const step of [0, 1, 2])
      if (id !== null) say(world, { kind: "model_call", reservation_id: id, step, fresh: [], text: "", tool_calls: [], usage });
  },
  "use another task's reservation": (world, random) => {
    const id = reserve(world, someTask(world, random));
    const usage = { model: "m", input_tokens: 1, output_tokens: 1, cost_micro_usd: 0, price_source: "x" };
    if (id !== null)
      say(world, {
        kind: "model_call",
        task: someTask(world, random),
        reservation_id: id,
        step: 0,
        fresh: [],
        text: "",
        tool_calls: [],
        usage,
      });
  },
  "reserve nothing and use much": (world, random) => {
    const id = reserve(world, someTask(world, random), { tokens: 0, cost_micro_usd: 0 });
    const usage = { model: "m", input_tokens: 900, output_tokens: 900, cost_micro_usd: 900, price_source: "x" };
    if (id !== null) say(world, { kind: "model_call", reservation_id: id, step: 0, fresh: [], text: "", tool_calls: [], usage });
  },
  "reserve side by side": (world, random) => spendAll(world, ["", ...tasksHere(world)], random),
  "release a used reservation": (world, random) => {
    const id = reserve(world, "", { tokens: 300 });
    const other = Object.keys(world.run.state().reservations)[0] ?? uuid(702);
    say(world, {
      kind: "model_failure",
      reservation_id: random.pick([id ?? uuid(702), other]),
      billed: random.pick(["no", "maybe", "never"]),
    });
    say(world, { kind: "model_failure", reservation_id: id ?? uuid(702), billed: "no" });
  },
  "leave a call unanswered": (world, random) => {
    reserve(world, someTask(world, random), { tokens: 300 });
    say(world, { kind: "node_failure", code: "timeout", retryable: true, detail: "", jitter: 0, retry_after_ms: 0 });
  },
  "retry for ever": (world) => {
    for (let time = 0; time < 4; time += 1) {
      say(world, {
        kind: "node_failure",
        code: time === 2 ? "node_timeout" : "x",
        retryable: true,
        detail: "",
        jitter: 0,
        retry_after_ms: 0,
      });
      world.run.pass(60_000);
      tick(world);
    }
  },
};
