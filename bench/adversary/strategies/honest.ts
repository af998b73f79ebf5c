/** Lets runs progress. */
import {
  answer,
  attempt,
  callModel,
  currentNode,
  engineOf,
  here,
  reserve,
  review,
  reviewers,
  say,
  tick,
  type World,
} from "@/bench/adversary/world";
import type { Random } from "@/bench/adversary/random";
import { findNextUndo } from "@/lib/engine/state";
import { mapItems, findTask } from "@/lib/engine/task";
import { buildToolArguments } from "@/lib/engine/tool-arguments";
import { callKey } from "@/lib/engine/thread-of";
import { getTaskGrants, buildView } from "@/lib/engine/view";
import type { GraphNode, NodeOf } from "@/lib/graph/document";
import { createSourceLabel } from "@/lib/graph/label";
import type { Json } from "@/lib/json";
import { uuid } from "@/lib/engine/testing/run";
import { write, type Move } from "./strategy";

const ANSWERS: Readonly<Record<string, Json>> = { read: { text: "hello", plan: "team" }, update: { ticket: "t1" }, salaries: 7 };

/** Repeated, it finds receipt or answer. */
const call = (world: World, task: string, server: string, tool: string, args: Json): boolean => {
  const key = callKey(world.run.state(), task, "call");
  const { activation } = world.run.state();
  const mine = () =>
    Object.values(world.run.state().effects).findLast((effect) => effect.activation === activation && effect.call_id === key);
  if (!mine()) say(world, { kind: "effect_intent", task, call_id: key, server, tool, arguments: args, availability: "ok" });
  const said = ANSWERS[tool] ?? { text: "hello" };
  if (mine()?.outcome === null) answer(world, said === 7 ? 7 : { ...(said as object), word: world.variant.words("hello") });

  return mine()?.outcome === "ok" || mine()?.outcome === "tool_error";
};

const toolCall = (world: World, node: GraphNode, acting: NodeOf<"tool">, task: string): boolean => {
  const state = world.run.state();
  const published = here(world);
  const party = findTask(published, state, node, task);
  if (!party) return false;
  const args = buildToolArguments(acting, buildView(published.graph, state, getTaskGrants(party).read), party.item?.value);

  return call(world, task, acting.config.server, acting.config.tool, args);
};

const plan = (world: World, random: Random) => world.variant.words(random.chance(0.9) ? "team" : "again");

const valueFor = (world: World, path: string, random: Random): Json => {
  const [key = ""] = path.split(".");
  switch (key) {
    case "request":
      return { plan: plan(world, random) };
    case "answer":
      return world.variant.words("team");
    case "list":
      return ["people like plans"];
    case "mail":
      return { text: world.variant.words("hello") };
    case "salary":
      return 7;
    case "note":
      return "fine";
    default:
      return "done";
  }
};

const finish = (world: World, random: Random, ...paths: readonly string[]): void => {
  say(world, { kind: "node_result", actions: paths.map((path) => write(path, valueFor(world, path, random))) });
};

const recall = (world: World, node: NodeOf<"agent">): void => {
  const state = world.run.state();
  const [topic] = node.config.recall?.topics ?? [];
  if (topic === undefined || state.aside.some(({ path }) => path === `$recall.${state.activation}`)) return;
  const fact = { topic, text: "people like plans", label: createSourceLabel("untrusted", "internal", "mcp:docs/read"), run: uuid(500) };
  attempt(world, engineOf(world), { kind: "recall", activation: state.activation ?? 0, facts: [fact] });
};

const agent = (world: World, node: NodeOf<"agent">, random: Random): void => {
  recall(world, node);
  if (node.config.annealing) for (const task of ["try.0", "score.0", "try.1"]) callModel(world, {}, task);
  else callModel(world);
  if (node.config.swarm && random.chance(0.4) && random.next() > 0)
    say(world, { kind: "action", action: { type: "handoff", node: node.config.swarm.peers[0], reason: "it is theirs" } });
  finish(world, random, node.config.write_to ?? node.write_keys[0] ?? "");
};

const fails = (world: World, code: string): void => {
  say(world, { kind: "node_failure", code, retryable: false, detail: "no", jitter: 0, retry_after_ms: null });
};

const supervisor = (world: World, node: NodeOf<"supervisor">, random: Random): void => {
  if (!callModel(world)) {
    fails(world, "supervisor_limit");

    return;
  }
  const worked = world.run.state().cells.some(({ path }) => path === "request");
  const next = worked ? undefined : node.config.managed_nodes[random.chance(0.8) ? 0 : 1];
  say(world, { kind: "node_result", actions: next === undefined ? [] : [{ type: "goto_node", node: next, reason: "it comes first" }] });
};

const map = (world: World, node: NodeOf<"map">, random: Random): void => {
  const worker = here(world).graph.nodes.find(({ id }) => id === node.config.worker_node);
  const items = mapItems(world.run.state(), node) ?? [];
  for (const index of items.keys()) {
    const task = `item.${index}`;
    const done = worker?.kind === "tool" ? toolCall(world, node, worker, task) : callModel(world, {}, task);
    if (world.run.state().status !== "running") return;
    if (!done) say(world, { kind: "task_failure", task, code: "tool_error", detail: "no" });
  }
  if (node.config.synthesizer) callModel(world, {}, "synthesizer");
  const to = node.config.write_to ?? "";
  const value = to === "list" ? items.map(() => ({ plan: plan(world, random) })) : valueFor(world, to, random);
  say(world, { kind: "node_result", actions: [{ type: "merge_parallel_results", updates: [{ path: to, value }] }] });
};

const askAll = (world: World, tasks: readonly string[]): void => {
  // Before the first answer.
  const reserved = tasks.map((task) => [task, reserve(world, task)] as const);
  for (const [task, reservation] of reserved) {
    if (reservation === null) continue;
    const usage = { model: "m", input_tokens: 10, output_tokens: 10, cost_micro_usd: 10, price_source: "scripted" };
    say(world, { kind: "model_call", task, reservation_id: reservation, step: 0, fresh: [], text: "{}", tool_calls: [], usage });
  }
};

const settleUndo = (world: World): boolean => {
  const undo = findNextUndo(world.run.state());
  const open = Object.values(world.run.state().effects).some(({ undoes, outcome }) => undoes === undo?.effect_id && outcome === null);
  if (open) answer(world, { undone: true });

  return open;
};

export const work: Move = (world, random) => {
  if (tick(world) || settleUndo(world)) return;
  const node = currentNode(world);
  if (!node || world.run.state().status !== "running") return;
  switch (node.kind) {
    case "tool":
      if (toolCall(world, node, node, "")) finish(world, random, node.config.write_to ?? node.write_keys[0] ?? "");
      return;
    case "agent":
      return agent(world, node, random);
    case "approval":
      say(world, { kind: "node_result", actions: [{ type: "request_human_input", prompt: "" }] });
      return;
    case "supervisor":
      return supervisor(world, node, random);
    case "map":
      return map(world, node, random);
    case "voting":
      askAll(
        world,
        [...node.config.voters.keys()].map((index) => `voter.${index}`),
      );
      callModel(world, {}, "judge");
      return finish(world, random, "answer", "list");
    case "evolution":
      askAll(world, ["candidate.0.0", "candidate.0.1"]);
      askAll(world, ["score.0.0", "score.0.1"]);
      return finish(world, random, "answer");
    case "verifier":
      if (node.config.on_fail === "fail") {
        fails(world, "verification_failed");
        return;
      }
      callModel(world, {}, "judge");
      return finish(world, random, "answer");
    case "synthesizer":
      callModel(world);
      return finish(world, random, "answer");
    case "reflection":
      return finish(world, random, "list");
    case "transform":
      return finish(world, random, ...node.config.set.map(({ path }) => path));
    case "extract":
      callModel(world);
      return finish(world, random, node.config.write_to ?? node.write_keys[0] ?? "");
    case "review":
      for (const index of node.config.reviewers.keys()) {
        callModel(world, { text: '{"verdict":"approve"}' }, `reviewer.${index}`);
        say(world, { kind: "verdict", task: `reviewer.${index}` });
      }
      return;
    case "router":
    case "judge":
      say(world, { kind: "node_result", actions: [] });
      return;
    case "code":
      return finish(world, random, node.config.write_to ?? node.write_keys[0] ?? "");
    case "wait":
      say(world, { kind: "node_result", actions: [{ type: "wait", until: null }] });
      return;
    case "subgraph":
      // A failure, as for the runner.
      if (say(world, { kind: "node_result", actions: [] })?.ok !== true) fails(world, "refused");
      return;
    default:
      node satisfies never;
  }
};

export const decideHonestly: Move = (world, random) => review(world, random.pick(reviewers));
