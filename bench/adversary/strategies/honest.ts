/** Everybody who keeps to the rules: executors that get runs somewhere, people, time, crashes. */
import { answer, attempt, callModel, currentNode, openGateOf, review, reviewers, say, tick } from "@/bench/adversary/world";
import { toolArguments } from "@/lib/engine/tool-arguments";
import { AUTHOR, STARTER, user } from "@/lib/engine/testing/run";
import { effectiveGrants, viewOf } from "@/lib/engine/view";
import { ask, write, type Move, type Strategies } from "./strategy";

/** The work of the current node, as its executor does it. */
export const work: Move = (world, random) => {
  if (tick(world)) return;
  const { published } = world.scenario;
  const state = world.run.state();
  const node = currentNode(world);
  if (!node || state.status === "waiting") return;
  if (node.kind === "tool") {
    const mine = () => Object.values(world.run.state().effects).findLast(({ activation }) => activation === state.activation);
    const args = toolArguments(node, viewOf(published.graph, state, effectiveGrants(published, node).read).value);
    if (!mine()) ask(world, node.config.server, node.config.tool, args, { call_id: `${state.retryCount}/call` });
    if (mine()?.outcome === null) answer(world, { text: "hello" });
    if (mine()?.outcome) say(world, { kind: "node_result", actions: [write(node.write_keys[0] ?? "", { text: "hello" })] });
  } else if (node.kind === "agent") {
    callModel(world, {});
    say(world, { kind: "node_result", actions: [write("request", { plan: random.chance(0.9) ? "team" : "again" })] });
  } else if (node.kind === "approval") say(world, { kind: "node_result", actions: [{ type: "request_human_input", prompt: "" }] });
  else say(world, { kind: "node_result", actions: node.kind === "transform" ? [write("result", "done")] : [] });
};

export const decideHonestly: Move = (world, random) => review(world, random.pick(reviewers));

/** What happens around a run, none of it meant badly. */
export const AROUND: Strategies = {
  "time passes": (world, random) => world.run.pass(random.pick([10, 5_000, 70_000, 86_400_000])),
  "the engine does its own": (world) => {
    tick(world);
  },
  "the policy changes": (world, random) => {
    if (openGateOf(world)) world.run.underPolicy(random.pick(["e", "f"]).repeat(64));
  },
  "the runner crashes": (world) => {
    world.lease += 1;
  },
  "somebody clicks twice": (world) => {
    const old = world.spoken.findLast(({ body }) => body.kind === "decision");
    if (old) attempt(world, old.principal, old.body, { id: old.id });
  },
  "somebody comes too late": (world, random) => {
    world.run.pass(86_400_000);
    review(world, random.pick(reviewers));
  },
  "who started it would approve": (world) => review(world, user(STARTER)),
  "who drew it would approve": (world) => review(world, user(AUTHOR)),
  "somebody of another role would approve": (world, random) =>
    review(world, user(reviewers[0].type === "user" ? reviewers[0].id : "", random.pick(["viewer", "admin", "builder"]))),
  "a person approves twice": (world) => {
    review(world, reviewers[0]);
    review(world, reviewers[0]);
  },
};
