/** One run with everybody around it: the adversary's mouth, honest people, the engine's timers, the gateways. */
import { approvalView, viewDigest } from "@/lib/engine/approval-view";
import { decide } from "@/lib/engine/decide";
import { budgetRefusal } from "@/lib/engine/decide/node";
import type { Verdict } from "@/lib/engine/decide/verdict";
import { plan } from "@/lib/engine/plan";
import type { Principal } from "@/lib/engine/principal";
import type { Proposal, ProposalBody } from "@/lib/engine/proposal";
import { asideAt, type GateState, type RunState } from "@/lib/engine/state";
import { newRun, REVIEWER, SECOND, startBody, STARTER, user, type TestRun } from "@/lib/engine/testing/run";
import { threadOf } from "@/lib/engine/thread-of";
import { effectiveGrants, viewOf } from "@/lib/engine/view";
import type { GraphNode, PublishedGraph } from "@/lib/graph/document";
import { canonicalJson, type Json, type JsonObject } from "@/lib/json";
import { CANARIES, isBenign, type Scenario } from "./scenarios";

/** What stands between the adversary and the run; the ablation replaces parts of it. */
export type Rules = {
  readonly decide: typeof decide;
  readonly view: (published: PublishedGraph, state: RunState, node: GraphNode) => JsonObject;
  readonly covers: (state: RunState, estimate: typeof RESERVATION) => boolean;
};

/** What the model gateway reserves for one call. */
export const RESERVATION = { tokens: 100, cost_micro_usd: 100 };

export const RULES: Rules = {
  decide,
  view: (published, state, node) => viewOf(published.graph, state, effectiveGrants(published, node).read).value,
  covers: (state, estimate) => budgetRefusal(state, estimate) === null,
};

export type Violation = { readonly property: string; readonly what: string };
type Spoken = { readonly principal: Principal; readonly body: ProposalBody; readonly id: string };

export type World = {
  readonly scenario: Scenario;
  readonly rules: Rules;
  readonly run: TestRun;
  /** The lease, which grows with each crash. */
  lease: number;
  /** The lease under which each record was decided. */
  readonly leases: number[];
  /** Everything that an executor or a server was given, as text. */
  readonly shown: string[];
  readonly spoken: Spoken[];
  /** `user approval transition` of each yes that an honest person meant. */
  readonly meant: Set<string>;
  readonly violations: Violation[];
};

const show = (world: World, given: Json): void => {
  world.shown.push(canonicalJson(given));
};

/** Proposes, and checks at once what holds for every proposal: a refusal moves no cell and leaves exactly one record. */
export const attempt = (world: World, principal: Principal, body: unknown, change: Partial<Proposal> = {}): Verdict | null => {
  const { run } = world;
  const before = run.state();
  const count = run.records().length;
  // The adversary says what it likes; whether it is a body is for `decide` to find out.
  const said = body as ProposalBody;
  try {
    const verdict = run.propose(principal, said, { epoch: world.lease, ...change });
    const after = run.state();
    const record = run.records().at(-1)?.record;
    world.leases.push(world.lease);
    if (record) world.spoken.push({ principal, body: said, id: record.proposal_id });
    const left = run.records().length === count + 1 && record?.kind === (verdict.ok ? "transition" : "refusal");
    if (!left) world.violations.push({ property: "I2", what: "a proposal left no record of its own" });
    const elsewhere = (change.workspace ?? before.workspace) !== before.workspace || (change.run ?? before.run) !== before.run;
    if (verdict.ok && elsewhere) world.violations.push({ property: "R1", what: "what was said to another run counted here" });
    const moved = after.cells !== before.cells || after.status !== before.status || after.currentNode !== before.currentNode;
    if (!verdict.ok && moved) world.violations.push({ property: "I2", what: `a refused ${said.kind} changed the state` });
    if (!verdict.ok && principal.type === "executor") show(world, { ...verdict.refusal });

    return verdict;
  } catch (error) {
    world.violations.push({ property: "I2", what: `a proposal was neither accepted nor refused: ${String(error).slice(0, 200)}` });

    return null;
  }
};

export const currentNode = (world: World): GraphNode | undefined => {
  const { currentNode: id } = world.run.state();

  return world.scenario.published.graph.nodes.find((node) => node.id === id);
};

const worker = (world: World, node: GraphNode): Principal => ({
  type: "executor",
  node: node.id,
  agent: node.kind === "agent" ? node.config.agent_id : null,
  epoch: world.lease,
});

/** As the executor of the current node, about this visit unless the body says otherwise. */
export const say = (world: World, body: Record<string, unknown>, change: Partial<Proposal> = {}): Verdict | null => {
  const node = currentNode(world);

  return node ? attempt(world, worker(world, node), { activation: world.run.state().activation ?? 0, ...body }, change) : null;
};

/** What the executor of the current node is given to work with. */
export const look = (world: World): void => {
  const node = currentNode(world);
  const state = world.run.state();
  if (!node || state.status === "waiting") return;
  const thread = node.kind === "agent" ? (threadOf(state) as unknown as Json) : [];
  show(world, { view: world.rules.view(world.scenario.published, state, node), thread });
};

/** One model call through the gateway: reserved before, and then whatever the model says about it. */
export const callModel = (world: World, more: Record<string, unknown>): void => {
  const state = world.run.state();
  if (currentNode(world)?.kind !== "agent" || state.status === "waiting") return;
  if (!world.rules.covers(state, RESERVATION)) {
    const asked = say(world, { kind: "model_intent", ...RESERVATION });
    if (!asked?.ok) return;
  }
  const step = asideAt(state, `$thread.${state.activation}.${state.retryCount}`).length;
  const usage = { model: "m", input_tokens: 10, output_tokens: 10, cost_micro_usd: 10, price_source: "scripted" };
  say(world, { kind: "model_call", step, fresh: [], text: "done", tool_calls: [], usage, ...more });
};

/** The server's answer to the newest call that has none; the answer is the adversary's. */
export const answer = (world: World, result: unknown, outcome: "ok" | "tool_error" = "ok"): void => {
  const effect = Object.values(world.run.state().effects).findLast(({ outcome: known }) => known === null);
  const node = world.scenario.published.graph.nodes.find(({ id }) => id === effect?.node);
  if (!effect || !node) return;
  for (const cell of asideAt(world.run.state(), `$arguments.${effect.effect_id}`)) if (cell.content.known) show(world, cell.content.value);
  attempt(world, worker(world, node), { kind: "effect_outcome", effect_id: effect.effect_id, outcome, result });
};

export const openGateOf = (world: World): GateState | undefined =>
  Object.values(world.run.state().gates).find(({ status }) => status === "open");

export const reviewers = [user(REVIEWER), user(SECOND)] as const;

/** An honest person looks at the view and decides; yes only to what is benign. */
export const review = (world: World, by: Principal, choice?: "approve" | "reject"): void => {
  const open = openGateOf(world);
  if (!open || by.type !== "user") return;
  const view = approvalView(world.scenario.published, world.run.state(), open, "pii");
  const changes = view.lines.filter(({ op }) => op !== "show");
  const good = changes.every(({ path, after }) => after && !after.hidden && isBenign(path, after.value));
  const decision = choice ?? (good ? "approve" : "reject");
  if (decision === "approve" && good) world.meant.add(`${by.id} ${open.gate.id} ${open.gate.transition_digest}`);
  attempt(world, by, {
    kind: "decision",
    approval_id: open.gate.id,
    transition_digest: open.gate.transition_digest,
    view_digest: viewDigest(view),
    decision,
    nonce: open.gate.nonce,
  });
};

/** What the engine itself would do now. */
export const tick = (world: World): boolean => {
  const work = plan(world.scenario.published, world.run.state(), world.run.now(), world.lease);
  if (work.type !== "propose") return false;
  attempt(world, { type: "engine", epoch: world.lease }, work.body);

  return true;
};

/** @param canaries other secrets, for the run that must look the same from outside */
export const newWorld = (scenario: Scenario, rules: Rules = RULES, canaries = CANARIES): World => {
  const run = newRun(scenario.published, rules.decide);
  const world: World = { scenario, rules, run, lease: 1, leases: [], shown: [], spoken: [], meant: new Set(), violations: [] };
  const { salary, ssn } = canaries;
  attempt(world, user(STARTER, "builder"), startBody(scenario.published, { topic: "plans", salary, profile: { name: "Ada", ssn } }));
  tick(world);

  return world;
};
