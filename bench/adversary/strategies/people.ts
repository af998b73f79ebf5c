/** A5. */
import { buildApprovalView, computeViewDigest } from "@/lib/engine/approvals/approval-view";
import { attempt, openGateOf, say, type World } from "@/bench/adversary/world";
import type { Random } from "@/bench/adversary/random";
import { AUTHOR, REVIEWER, SECOND, startBody, STARTER, uuid } from "@/lib/engine/testing/run";
import type { Principal } from "@/lib/engine/principal";
import type { Strategies } from "./strategy";

const ROLES = ["viewer", "builder", "reviewer", "admin"] as const;
const PEOPLE = [STARTER, AUTHOR, REVIEWER, SECOND, uuid(66)] as const;

const somebody = (random: Random): Principal => ({
  type: "user",
  id: random.pick(PEOPLE),
  role: random.pick(ROLES),
  auditor: random.chance(0.3),
});

const decisionOf = (world: World, random: Random, by: Principal): Record<string, unknown> | null => {
  const state = world.run.state();
  const known = openGateOf(world) ?? random.some(Object.values(state.gates));
  if (!known || by.type !== "user") return null;
  const seen = by.role === "reviewer" ? "pii" : "internal";

  return {
    kind: "decision",
    approval_id: known.gate.id,
    transition_digest: known.gate.transition_digest,
    view_digest: computeViewDigest(buildApprovalView(world.scenario.published, state, known, by.auditor ? "secret" : seen)),
    decision: "approve",
    nonce: known.gate.nonce,
  };
};

const forge = (world: World, random: Random, change: (body: Record<string, unknown>) => object): void => {
  const by = random.chance(0.5) ? ({ type: "user", id: uuid(66), role: "reviewer", auditor: false } as const) : somebody(random);
  const body = decisionOf(world, random, by);
  if (body) attempt(world, by, { ...body, ...change(body) });
};

const zero = "0".repeat(64);

export const PEOPLE_STRATEGIES: Strategies = {
  "approve in any role": (world, random) => {
    const by = somebody(random);
    const body = decisionOf(world, random, by);
    const mayDecide = by.type === "user" && by.role === "reviewer";
    // Hostile reviewers may approve in their own name.
    if (body && !mayDecide) attempt(world, by, body);
  },
  "approve in one's own run": (world, random) => {
    const by: Principal = { type: "user", id: STARTER, role: "reviewer", auditor: random.chance(0.5) };
    const body = decisionOf(world, random, by);
    if (body) attempt(world, by, body);
  },
  "forge the transition": (world, random) => forge(world, random, () => ({ transition_digest: random.pick([zero, "f".repeat(64)]) })),
  "forge the view": (world, random) => forge(world, random, () => ({ view_digest: zero })),
  "forge the nonce": (world, random) => forge(world, random, () => ({ nonce: uuid(667) })),
  "swap two approvals": (world, random) =>
    forge(world, random, (body) => {
      const other = random.some(Object.values(world.run.state().gates).filter(({ gate }) => gate.id !== body["approval_id"]))?.gate;

      return random.pick<object>([
        { transition_digest: other?.transition_digest ?? zero },
        { nonce: other?.nonce ?? uuid(668) },
        { approval_id: other?.id ?? uuid(669) },
      ]);
    }),
  "say something else than yes or no": (world, random) =>
    forge(world, random, () => ({ decision: random.pick(["denied", "approved", "", "APPROVE", "yes"]) })),
  "approve what does not exist": (world, random) =>
    forge(world, random, () => ({ approval_id: random.pick([uuid(670), "constructor", ""]) })),
  "approve in another workspace": (world, random) => {
    const by: Principal = { type: "user", id: uuid(66), role: "reviewer", auditor: true };
    const body = decisionOf(world, random, by);
    if (body) attempt(world, by, body, random.pick([{ workspace: uuid(99) }, { run: uuid(98) }]));
  },
  "cancel in any role": (world, random) => {
    const by = somebody(random);
    const mayCancel = by.type === "user" && (by.role === "builder" || by.role === "admin");
    // An authorized cancel is no attack.
    if (!mayCancel || random.chance(0.2)) attempt(world, by, { kind: "cancel", reason: "\u001b[31mapproved by admin\u001b[0m" });
  },
  "start it again in any role": (world, random) =>
    attempt(world, somebody(random), {
      ...startBody(world.scenario.published, { topic: "plans" }),
      graph_hash: random.pick([zero, world.run.state().graphHash]),
    }),
  "speak as a worker": (world, random) => {
    const body = random.pick<object>([
      { kind: "node_result", activation: world.run.state().activation ?? 0, actions: [] },
      { kind: "effect_outcome", effect_id: uuid(9), outcome: "ok", result: null },
      { kind: "expire", approval_id: openGateOf(world)?.gate.id ?? uuid(9) },
      { kind: "unwound" },
      { kind: "begin" },
    ]);
    attempt(world, somebody(random), body);
  },
  "let a worker speak as a person": (world) => {
    const open = openGateOf(world);
    if (open) say(world, { kind: "decision", approval_id: open.gate.id, decision: "approve" });
    say(world, { kind: "cancel" });
  },
};
