import { describe, expect, it } from "vitest";
import { listTaskTools } from "@/lib/engine/decide/effect";
import { findTask, type Task } from "@/lib/engine/task";
import { listTaskCells, getTaskGrants } from "@/lib/engine/view";
import type { GraphInput, GraphNode } from "@/lib/graph/document";
import { AGENTS, END, version, writer } from "@/lib/engine/testing/kinds";
import { getCode, intent, result, started, update, type TestRun } from "@/lib/engine/testing/run";
import { ask, reserve } from "@/lib/engine/testing/work";

type NodeInput = GraphInput["nodes"][number];

const read_keys = ["mail", "clean", "items", "salary"];
const INPUTS = { topic: "plans", mail: "m", items: [1, 2, 3], salary: 7 };
const WORKER: NodeInput = {
  id: "worker",
  kind: "agent",
  read_keys: ["clean"],
  write_keys: ["note"],
  failure_policy: { attempts: 2 },
  config: { agent_id: "handy" },
};

const NODES = {
  agent: { id: "n", kind: "agent", read_keys, write_keys: ["out"], config: { agent_id: "handy" } },
  annealing: {
    id: "n",
    kind: "agent",
    read_keys,
    write_keys: ["out"],
    config: { agent_id: "handy", annealing: { evaluator_id: "handy", max_iterations: 2 } },
  },
  map: {
    id: "n",
    kind: "map",
    read_keys,
    write_keys: ["out"],
    config: { worker_node: "worker", items: { from: "items" }, max_items: 2, synthesizer: { agent_id: "handy" } },
  },
  voting: {
    id: "n",
    kind: "voting",
    read_keys,
    write_keys: ["out"],
    config: { voters: [{ agent_id: "handy" }, { agent_id: "reader" }, { agent_id: "blind" }], strategy: "judge", judge_id: "handy" },
  },
  evolution: {
    id: "n",
    kind: "evolution",
    read_keys,
    write_keys: ["out"],
    config: { candidate_id: "handy", fitness: { agent_id: "handy" }, population_size: 2, max_generations: 2, tournament_size: 2 },
  },
  verifier: {
    id: "n",
    kind: "verifier",
    read_keys,
    write_keys: ["out"],
    config: { check: { type: "judge", agent_id: "handy", key: "mail" } },
  },
  supervisor: { id: "n", kind: "supervisor", read_keys, config: { agent_id: "handy", managed_nodes: ["end"] } },
  synthesizer: { id: "n", kind: "synthesizer", read_keys, write_keys: ["out"], config: { agent_id: "handy" } },
  reflection: { id: "n", kind: "reflection", read_keys, config: { topic: "t", extractor: { type: "agent", agent_id: "handy" } } },
  router: { id: "n", kind: "router", config: {} },
  transform: { id: "n", kind: "transform", write_keys: ["out"], config: { set: [{ path: "out", value: "1" }] } },
  approval: { id: "n", kind: "approval", config: { prompt: "?" } },
  tool: writer("n"),
} as const satisfies Record<string, NodeInput>;

const at = (kind: keyof typeof NODES, change: object = {}, agents = AGENTS): TestRun =>
  started(version([{ ...NODES[kind], ...change }, END, WORKER], { edges: [{ id: "e", source: "n", target: "end" }] }, { agents }), INPUTS);

const nodeOf = (run: TestRun): GraphNode => {
  const node = run.published.graph.nodes.find(({ id }) => id === "n");
  if (!node) throw new Error("no node");

  return node;
};
const taskAt = (run: TestRun, id: string): Task | null => findTask(run.published, run.state(), nodeOf(run), id);

const TASKS: Record<keyof typeof NODES, { readonly speak: readonly string[]; readonly silent: readonly string[] }> = {
  agent: { speak: [""], silent: ["try.0", "voter.0", "judge", "item.0"] },
  annealing: { speak: ["", "try.0", "try.1", "score.0", "score.1"], silent: ["try.2", "score.2", "try", "try.0.0", "judge"] },
  map: {
    speak: ["item.0", "item.1", "item.0.1", "synthesizer"],
    silent: ["", "item.2", "item", "item.0.2", "item.0.0", "item.1.99", "synthesizer.0", "judge", "voter.0"],
  },
  voting: { speak: ["voter.0", "voter.2", "judge"], silent: ["", "voter.3", "voter", "voter.0.0", "judge.0"] },
  evolution: {
    speak: ["candidate.0.0", "candidate.1.1", "score.0.1"],
    silent: ["", "candidate.2.0", "candidate.0.2", "candidate.0", "score.2.0", "judge"],
  },
  verifier: { speak: ["judge"], silent: ["", "judge.0", "score.0"] },
  supervisor: { speak: [""], silent: ["judge"] },
  synthesizer: { speak: [""], silent: ["synthesizer"] },
  reflection: { speak: [""], silent: ["judge"] },
  router: { speak: [], silent: ["", "judge"] },
  transform: { speak: [], silent: ["", "judge"] },
  approval: { speak: [], silent: ["", "judge"] },
  tool: { speak: [], silent: ["", "item.0"] },
};
const KINDS = Object.keys(TASKS) as (keyof typeof NODES)[];

describe("tasks [12]", () => {
  it.each(KINDS)("of %s are those of its configuration only", (kind) => {
    const run = at(kind);
    for (const task of TASKS[kind].speak) expect([task, getCode(ask(run, task))]).toEqual([task, "accepted"]);
    for (const task of TASKS[kind].silent) {
      expect([task, getCode(run.work({ kind: "model_intent", task, tokens: 1, cost_micro_usd: 0 }))]).toEqual([task, "task_unknown"]);
    }
    expect(run.state().totalTokens).toBe(2 * TASKS[kind].speak.length);
  });

  it.each([
    "try.00",
    "try.-1",
    "try.1e3",
    "TRY.0",
    "try.0.0.0",
    "__proto__",
    "constructor",
    "try. 0",
    "item.99999999",
    "../n",
    "item.0\u0000",
    "item.00",
    "item.+1",
  ])("named %j do not exist in any proposal", (task) => {
    const run = at("map");
    const bodies = [
      { kind: "model_intent", task, tokens: 1, cost_micro_usd: 0 },
      { ...intent("docs", "read", {}), task },
      { kind: "task_failure", task, code: "x", detail: "" },
    ] as const;
    for (const body of bodies) expect(["malformed", "task_unknown"]).toContain(getCode(run.work(body)));
    expect(taskAt(run, task)).toBeNull();
    expect(run.state()).toMatchObject({ reservations: {}, effects: {}, failedTasks: {} });
  });

  it("that are unknown call no tools and cannot fail", () => {
    const run = at("voting");
    expect(getCode(run.work({ ...intent("docs", "read", {}), task: "voter.3" }))).toBe("task_unknown");
    expect(getCode(run.work({ kind: "task_failure", task: "voter.3", code: "x", detail: "" }))).toBe("task_unknown");
    expect(getCode(run.work({ kind: "task_failure", task: "", code: "x", detail: "" }))).toBe("task_unknown");
  });

  it.each([
    ["annealing", "score.0"],
    ["voting", "judge"],
    ["evolution", "score.0.0"],
    ["verifier", "judge"],
  ] as const)("that judge, in %s, have no tools and read no memory", (kind, id) => {
    const run = at(kind);
    const task = taskAt(run, id);
    if (!task) throw new Error("no task");
    expect(task.judges).toBe(true);
    expect(getTaskGrants(task)).toEqual({ read: [], write: [] });
    expect(listTaskTools(run.published, task)).toEqual([]);
    expect(listTaskCells(run.published, run.state(), nodeOf(run), task)).toEqual([]);
    expect(getCode(run.work({ ...intent("docs", "read", {}), task: id }))).toBe("tool_not_granted");
  });

  it("of a map have the worker's grants and tools", () => {
    const run = at("map");
    const task = taskAt(run, "item.1");
    if (!task) throw new Error("no task");
    expect(task).toMatchObject({ item: { index: 1, value: 2 }, alone: true, acting: { id: "worker" } });
    expect(getTaskGrants(task)).toEqual({ read: ["clean"], write: [] });
    expect(getCode(run.work({ ...intent("docs", "read", {}), task: "item.1" }))).toBe("accepted");
    expect(getCode(run.work(intent("docs", "read", {}, "own")))).toBe("tool_not_granted");
    expect(getCode(run.work(result(update("note", 1))))).toBe("write_not_granted");
  });

  it("of voters are under their own agents' ceilings", () => {
    const run = at("voting");
    const grants = ["voter.0", "voter.1", "voter.2"].map(
      (id) => getTaskGrants(taskAt(run, id) ?? { acting: nodeOf(run), agent: null, id, item: null, judges: false, alone: true }).read,
    );
    expect(grants).toEqual([read_keys, ["mail", "clean", "items"], []]);
  });

  it("write nothing themselves", () => {
    const run = at("voting");
    for (const id of ["voter.0", "judge"]) expect(taskAt(run, id) && getTaskGrants(taskAt(run, id) as Task).write).toEqual([]);
  });

  it.each([
    ["agent", ""],
    ["annealing", "try.0"],
    ["voting", "voter.0"],
    ["evolution", "candidate.0.0"],
    ["supervisor", ""],
    ["synthesizer", ""],
    ["reflection", ""],
    ["map", "item.0"],
    ["map", "synthesizer"],
  ] as const)("of %s (%s) with `tools: []` may call nothing", (kind, task) => {
    const without = AGENTS.map((agent) => ({ ...agent, tools: [] }));
    expect(getCode(at(kind, {}, without).work({ ...intent("docs", "read", {}), task }))).toBe("tool_not_granted");
    expect(getCode(at(kind).work({ ...intent("docs", "read", {}), task }))).toBe("accepted");
  });

  it("fail once for good, and the node continues", () => {
    const run = at("voting");
    const failed = { kind: "task_failure", task: "voter.1", code: "model_failed", detail: "cut \ud83d" } as const;
    expect(getCode(run.work(failed))).toBe("accepted");
    expect(getCode(run.work(failed))).toBe("version_conflict");
    expect(run.state()).toMatchObject({ failedTasks: { "voter.1": "model_failed" }, status: "running", currentNode: "n" });
    expect(getCode(run.work(result(update("out", "yes"))))).toBe("accepted");
    expect(run.state().failedTasks).toEqual({});
  });

  it("have separate conversations", () => {
    const run = at("voting");
    ask(run, "voter.0");
    const reservation = reserve(run, "voter.1");
    expect(
      getCode(
        run.work({
          kind: "model_call",
          task: "voter.1",
          reservation_id: reservation,
          step: 1,
          fresh: [],
          text: "",
          tool_calls: [],
          usage: { model: "m", input_tokens: 1, output_tokens: 1, cost_micro_usd: 1, price_source: "t" },
        }),
      ),
    ).toBe("version_conflict");
  });
});
