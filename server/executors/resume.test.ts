import { expect, test } from "vitest";
import { createChance } from "@/server/executors/chance";
import { Suspended, type ExecutorInput, type ModelRequest } from "@/server/executors/contract";
import { FIND } from "@/server/executors/testing/plane";
import { findAgent, findNode, stage, stageInput, workerOf, type Cast, type Line } from "@/server/executors/testing/stage";
import { ModelError } from "@/server/models/contract";

const agents = ["a", "b", "c", "judge"];
const policy = { attempts: 2, backoff: "fixed", backoff_ms: 0 };
const keyed = (node: object) => findNode({ write_keys: ["out"], ...node });

const inputs: Record<string, ExecutorInput> = {
  agent: stageInput(keyed({ kind: "agent", config: { agent_id: "a" } }), {}, [], { agent: findAgent("a"), tools: [FIND] }),
  annealing: stageInput(
    keyed({ kind: "agent", config: { agent_id: "a", annealing: { evaluator_id: "judge", diminishing_returns_delta: 0 } } }),
    {},
    agents,
    { agent: findAgent("a"), tools: [FIND] },
  ),
  supervisor: stageInput(findNode({ kind: "supervisor", config: { agent_id: "a", managed_nodes: ["x"] } }), {}, [], {
    agent: findAgent("a"),
    tools: [FIND],
  }),
  map: stageInput(
    keyed({ kind: "map", config: { worker_node: "w", items: { value: [1, 2, 3] }, max_concurrency: 2, synthesizer: { agent_id: "b" } } }),
    {},
    agents,
    { worker: workerOf(findNode({ kind: "agent", failure_policy: policy, config: { agent_id: "worker" } }, "w"), [FIND]) },
  ),
  "map over a tool": stageInput(keyed({ kind: "map", config: { worker_node: "w", items: { value: [1, 2, 3] } } }), {}, [], {
    worker: workerOf(findNode({ kind: "tool", failure_policy: policy, config: { server: "customers", tool: "find_customer" } }, "w"), [
      FIND,
    ]),
  }),
  voting: stageInput(
    keyed({
      kind: "voting",
      config: { voters: ["a", "b", "c"].map((agent_id) => ({ agent_id })), strategy: "judge", judge_id: "judge", quorum: 1 },
    }),
    {},
    agents,
  ),
  evolution: stageInput(
    keyed({
      kind: "evolution",
      config: { candidate_id: "a", fitness: { agent_id: "judge" }, population_size: 3, max_generations: 3, fitness_threshold: 99 },
    }),
    {},
    agents,
  ),
  verifier: stageInput(keyed({ kind: "verifier", config: { check: { type: "judge", agent_id: "judge", key: "n" } } }), { n: 1 }, agents),
};

const numberOf = (text: string): number => Math.floor(createChance("resume", text)() * 97);

const model = ({ task, step, tools }: ModelRequest): Line => {
  const n = numberOf(task);
  if (/^(?:voter\.1|candidate\.0\.1|score\.0|score\.1\.2)$/.test(task))
    throw new ModelError("model_failed", false, "broken", { billed: "no" });
  if (task === "item.1") throw new ModelError("model_timeout", true, "late", { billed: "maybe" });
  if (step === 0 && tools.some(({ name }) => name.startsWith("customers"))) {
    return { calls: [{ id: `s${step}`, name: "customers__find_customer", input: { email: task } }] };
  }

  return JSON.stringify({ next: "x", vote: n, choice: 1, score: n / 100, text: task });
};

const tool: Cast["tool"] = ({ task }) => (task === "item.1" ? { status: "tool_error", result: "no" } : { status: "ok", result: { task } });

test.each(Object.keys(inputs))(
  "%s: suspended at any call and resumed elsewhere, it ends the same and repeats no model call",
  async (kind) => {
    const input = inputs[kind];
    if (!input) throw new Error("no such input");
    const whole = stage(input, { model, tool });
    const end = await whole.play();
    expect(end.type).toBe("result");
    expect(whole.count()).toBeGreaterThan(0);

    for (let at = 0; at < whole.count(); at++) {
      const first = stage(input, { model, tool, suspendAt: at });
      await expect(first.play()).rejects.toBeInstanceOf(Suspended);
      const second = stage(structuredClone({ ...input, threads: first.threads, failedTasks: first.failed }), { model, tool });
      expect(await second.play()).toEqual(end);
      const answered = Object.entries(first.threads).flatMap(([task, thread]) =>
        thread.filter(({ role }) => role === "assistant").map((_, step) => `${task}#${step}`),
      );
      for (const { task, step } of second.requests) expect(answered).not.toContain(`${task}#${step}`);
      for (const task of Object.keys(first.failed)) expect(second.requests.map((request) => request.task)).not.toContain(task);
      expect(second.threads).toEqual(whole.threads);
    }
  },
);
