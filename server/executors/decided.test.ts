import { expect, test } from "vitest";
import { toMemory } from "@/lib/engine/state";
import { version } from "@/lib/engine/testing/kinds";
import type { Json } from "@/lib/json";
import type { ModelRequest } from "@/server/executors/contract";
import { decided } from "@/server/executors/testing/decided";
import { shown, type Cast, type Line } from "@/server/executors/testing/stage";

const END = { id: "end", kind: "router", config: {} } as const;
type Node = Parameters<typeof version>[0][number];

/** One node under the real rules; other nodes are unreachable. */
const playing = (node: Node, cast: Cast, beside: readonly Node[] = [], inputs: Json = { topic: "plans", items: [1, 2] }) =>
  decided(version([node, END, ...beside], { edges: [{ id: "e", source: node.id, target: "end" }], end_nodes: ["end"] }), inputs, cast);

const memory = ({ run }: Awaited<ReturnType<typeof playing>>) => toMemory(run.state().cells);
const speaking =
  (lines: Readonly<Record<string, Line>>) =>
  ({ task, step }: ModelRequest): Line =>
    lines[`${task}#${step}`] ?? lines[task] ?? "";

const worker: Node = { id: "w", kind: "agent", config: { agent_id: "handy" } };
const map: Node = {
  id: "m",
  kind: "map",
  read_keys: ["items"],
  write_keys: ["out", "note"],
  config: { worker_node: "w", items: { from: "items" }, write_to: "out", errors_to: "note" },
};

test("map: decides every item's conversation and call as its own task and accepts the results", async () => {
  const read: Line = { calls: [{ id: "c0", name: "docs__read", input: { topic: "x" } }] };
  const played = await playing(
    map,
    { model: speaking({ "item.0#0": read, "item.0#1": "one", "item.1#0": "two" }), tool: () => ({ status: "ok", result: "text" }) },
    [worker],
  );

  expect(played.code).toBe("accepted");
  expect(memory(played)).toMatchObject({ out: ["one", "two"], note: [] });
  expect(Object.values(played.run.state().effects).map(({ task }) => task)).toEqual(["item.0"]);
});

test("map: refuses and records a hostile worker's write", async () => {
  const forged: Line = { calls: [{ id: "c0", name: "save_to_memory", input: { out: "forged", is_admin: true } }] };
  const played = await playing(map, { model: speaking({ "item.0#0": forged, "item.0#1": "one", "item.1": "two" }) }, [worker]);

  expect(played.refusals).toEqual(["tool_not_granted"]);
  expect(memory(played)).toMatchObject({ out: ["one", "two"] });
  expect(memory(played)).not.toHaveProperty("is_admin");
});

test("voting: accepts votes and their tally", async () => {
  const node: Node = {
    id: "v",
    kind: "voting",
    write_keys: ["out"],
    config: { voters: [{ agent_id: "plain" }, { agent_id: "reader" }, { agent_id: "blind" }], strategy: "judge", judge_id: "plain" },
  };
  const lines = { "voter.0": '{"vote":1}', "voter.1": '{"vote":2}', "voter.2": '{"vote":1}', judge: '{"choice":1}' };
  const played = await playing(node, { model: speaking(lines) });

  expect([played.code, memory(played)["out"]]).toEqual(["accepted", 2]);
});

test("evolution: accepts candidates, scores and the winner", async () => {
  const node: Node = {
    id: "e",
    kind: "evolution",
    write_keys: ["out"],
    config: { candidate_id: "plain", fitness: { agent_id: "reader" }, population_size: 2, max_generations: 2, fitness_threshold: 99 },
  };
  const model = ({ task }: ModelRequest): Line => (task.startsWith("score") ? `{"score":${task.slice(-1)}}` : task);
  const played = await playing(node, { model });

  expect([played.code, memory(played)["out"], played.refusals]).toEqual(["accepted", "candidate.0.1", []]);
});

test("annealing: accepts tries and scores", async () => {
  const config = { agent_id: "plain", annealing: { evaluator_id: "reader", max_iterations: 3, threshold: 1 } };
  const model = ({ task }: ModelRequest): Line => (task.startsWith("score") ? `{"score":0.${task.slice(-1)}}` : task);
  const played = await playing({ id: "a", kind: "agent", write_keys: ["out"], config }, { model });

  expect([played.code, memory(played)["out"], played.refusals]).toEqual(["accepted", "try.2", []]);
});

test("swarm: follows a hand-off to a declared peer; refuses others, and the model continues", async () => {
  const node: Node = { id: "a", kind: "agent", write_keys: ["out"], config: { agent_id: "plain", swarm: { peers: ["peer"] } } };
  const peer: Node = { id: "peer", kind: "router", config: {} };
  const to = (target: string): Line => ({ calls: [{ id: "c0", name: "hand_off", input: { node: target, reason: "theirs" } }] });
  const played = await playing(node, { model: speaking({ "#0": to("end"), "#1": to("peer") }) }, [peer]);

  expect([played.code, played.refusals]).toEqual(["accepted", ["handoff_not_declared"]]);
  expect(played.run.state().currentNode).toBe("peer");
});

test("supervisor: follows a managed node; refuses others as routing", async () => {
  const node: Node = { id: "s", kind: "supervisor", config: { agent_id: "plain", managed_nodes: ["peer"] } };
  const peer: Node = { id: "peer", kind: "router", config: {} };
  const chose = (next: string) => playing(node, { model: () => JSON.stringify({ next, reasoning: "because" }) }, [peer]);

  expect((await chose("peer")).run.state().currentNode).toBe("peer");
  expect(await chose("end")).toMatchObject({ code: "supervisor_routing", refusals: ["supervisor_routing"] });
  expect((await chose("done")).run.state().currentNode).toBe("end");
});

test("verifier, synthesizer and reflection: accepts what they write", async () => {
  const judge = { type: "judge", agent_id: "plain", key: "topic", criteria: "It is about plans." } as const;
  const verified = await playing(
    { id: "v", kind: "verifier", read_keys: ["topic"], write_keys: ["out"], config: { check: judge } },
    { model: (request) => (JSON.stringify(shown(request, "task")).includes("plans") ? '{"score":1,"reason":"ok"}' : "") },
  );
  expect(memory(verified)["out"]).toEqual({ passed: true, score: 1, reason: "ok" });

  const merged = await playing(
    { id: "s", kind: "synthesizer", read_keys: ["items", "topic"], write_keys: ["out"], config: { merge: "list" } },
    {},
  );
  expect(memory(merged)["out"]).toEqual([1, 2, "plans"]);

  const config = { topic: "habits", extractor: { type: "agent", agent_id: "plain" } } as const;
  const reflected = await playing({ id: "r", kind: "reflection", write_keys: ["out"], config }, { model: () => '["Plans change."]' });
  expect([reflected.code, memory(reflected)["out"]]).toEqual(["accepted", ["Plans change."]]);
  expect(reflected.run.state().aside.map(({ path }) => path)).toContain("$fact.habits");
});
