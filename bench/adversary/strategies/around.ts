/** Ordinary trouble, not hostile. */
import { attempt, engineOf, openGateOf, review, reviewers, tick, type World } from "@/bench/adversary/world";
import { AUTHOR, STARTER, user, uuid } from "@/lib/engine/testing/run";
import { createSourceLabel } from "@/lib/graph/label";
import type { Random } from "@/bench/adversary/random";
import type { Strategies } from "./strategy";

const untimely = (world: World, random: Random): object => {
  const state = world.run.state();
  const gate = Object.keys(state.gates).at(-1);
  const effect = Object.keys(state.effects).at(-1);
  const reservation = Object.keys(state.reservations).at(-1);
  const undo = state.compensation[0]?.effect_id ?? uuid(9);
  const ask = { kind: "undo", effect_id: random.pick([undo, effect ?? uuid(9)]), availability: random.pick(["ok", "ok", "drifted"]) };
  const limit = random.pick(["time_limit", "iteration_limit", "subgraph_time_limit", "subgraph_iteration_limit"]);
  const near: object[] = [{ kind: "begin" }, { kind: "stop", limit }];
  if (state.status === "retrying") near.push({ kind: "retry" }, { kind: "retry" });
  if (effect !== undefined) near.push({ kind: "recover", effect_id: effect });
  if (gate !== undefined) near.push(...["expire", "escalate", "void"].map((kind) => ({ kind, approval_id: gate })));
  if (reservation !== undefined) near.push({ kind: "forfeit", reservation_id: reservation });
  if (state.frames.length > 0) near.push({ kind: "ascend" });
  if (state.compensation.length > 0) near.push(ask, { kind: "unwound" });
  const far: object[] = [{ kind: "retry" }, { kind: "ascend" }, ask, { kind: "unwound" }, { kind: "forfeit", reservation_id: uuid(9) }];

  return random.some(random.chance(0.8) ? near : far) ?? { kind: "begin" };
};

const fact = (topic: string) => ({ topic, text: "x", label: createSourceLabel("trusted", "public", "user:x"), run: uuid(501) });

export const AROUND: Strategies = {
  "time passes": (world, random) => world.run.pass(random.pick([10, 5_000, 70_000, 86_400_000, 3 * 86_400_000])),
  "the engine does its own": (world) => {
    tick(world);
  },
  "the engine comes at the wrong time": (world, random) => {
    attempt(world, engineOf(world), untimely(world, random));
  },
  "memory of earlier runs comes twice or wrong": (world, random) => {
    const activation = (world.run.state().activation ?? 0) + (random.chance(0.2) ? 1 : 0);
    const facts = random.pick([[fact("habits")], [fact("salaries")], [fact("habits"), fact("habits"), fact("habits")]]);
    for (let time = 0; time < 2; time += 1) attempt(world, engineOf(world), { kind: "recall", activation, facts });
  },
  "the policy changes": (world, random) => {
    if (openGateOf(world)) world.run.underPolicy(random.pick(["e", "f"]).repeat(64));
  },
  "the runner crashes": (world) => {
    world.lease += 1;
  },
  "a person clicks twice": (world) => {
    const old = world.spoken.findLast(({ body }) => body.kind === "decision");
    if (old) attempt(world, old.principal, old.body, { id: old.id });
  },
  "a decision comes too late": (world, random) => {
    world.run.pass(86_400_000);
    review(world, random.pick(reviewers));
  },
  "who started it would approve": (world) => review(world, user(STARTER)),
  "who drew it would approve": (world) => review(world, user(AUTHOR)),
  "a person in another role approves": (world, random) =>
    review(world, user(reviewers[0].type === "user" ? reviewers[0].id : "", random.pick(["viewer", "admin", "builder"]))),
  "a person approves twice": (world) => {
    review(world, reviewers[0]);
    review(world, reviewers[0]);
  },
};
