import { buildApprovalView, computeViewDigest } from "@/lib/engine/approvals/approval-view";
import { decide } from "@/lib/engine/decide";
import type { Verdict } from "@/lib/engine/decide/verdict";
import { getPublishedHere } from "@/lib/engine/frame";
import type { Principal } from "@/lib/engine/principal";
import type { Proposal, ProposalBody } from "@/lib/engine/proposal";
import { findAside, getKnownValue, type GateState, type RunState } from "@/lib/engine/state";
import { findTask } from "@/lib/engine/task";
import { playStep } from "@/lib/engine/testing/play";
import { newRun, REVIEWER, SECOND, startBody, STARTER, user, type TestRun } from "@/lib/engine/testing/run";
import { getThreadPath, collectThreads } from "@/lib/engine/thread-of";
import { getTaskGrants, buildView } from "@/lib/engine/view";
import type { GraphNode, PublishedGraph } from "@/lib/graph/document";
import { toCanonicalJson, type Json, type JsonObject } from "@/lib/json";
import { checkSpoken } from "./oracle/statements";
import type { Scenario } from "./scenarios/building-blocks";
import { CANARIES, isBenign, PAY } from "./scenarios/outsider-view";
import { speakersOf } from "./tasks";

type Given = { readonly judges: boolean; readonly memory: JsonObject; readonly item: Json };

/** The ablation replaces parts. */
export type Rules = {
  readonly whole: boolean;
  readonly decide: typeof decide;
  readonly given: (root: PublishedGraph, state: RunState, node: string, task: string) => Given | null;
};

const RESERVATION = { tokens: 100, cost_micro_usd: 100 };

export const RULES: Rules = {
  whole: true,
  decide,
  given: (root, state, nodeId, taskId) => {
    const published = getPublishedHere(root, state);
    const node = published.graph.nodes.find(({ id }) => id === nodeId);
    const task = node && findTask(published, state, node, taskId);
    if (!task) return null;

    return {
      judges: task.judges,
      memory: buildView(published.graph, state, getTaskGrants(task).read),
      item: task.item?.value ?? null,
    };
  },
};

export type Violation = { readonly property: string; readonly what: string };
export type Spoken = { readonly principal: Principal; readonly body: ProposalBody; readonly id: string };

export type Variant = {
  readonly canaries: { readonly salary: number; readonly ssn: string };
  readonly words: (word: string) => string;
};
export const PLAIN: Variant = { canaries: CANARIES, words: (word) => word };

export type World = {
  readonly scenario: Scenario;
  readonly rules: Rules;
  readonly variant: Variant;
  readonly run: TestRun;
  /** Crashes increase it. */
  lease: number;
  readonly leases: number[];
  /** Of executors and servers. */
  readonly shown: string[];
  readonly spoken: Spoken[];
  /** `user approval transition`, honest ones. */
  readonly meant: Set<string>;
  /** Record count when the right was lost. */
  readonly gone: Map<string, number>;
  readonly violations: Violation[];
};

const show = (world: World, given: Json): void => {
  world.shown.push(toCanonicalJson(given));
};

const OUTSIDE = ["cells", "status", "currentNode", "frames", "reservations", "compensation"] as const;

/** Proposals cannot name lapsed approvers. */
const asBrought = (world: World, body: ProposalBody): ProposalBody =>
  body.kind === "decision" && world.gone.size > 0 ? { ...body, lapsed: [...world.gone.keys()] } : body;

/** A refusal must move no cell and leave one record. */
export const attempt = (world: World, principal: Principal, body: unknown, change: Partial<Proposal> = {}): Verdict | null => {
  const { run } = world;
  const before = run.state();
  const count = run.records().length;
  // The adversary sends anything; `decide` parses it.
  const said = asBrought(world, body as ProposalBody);
  if (principal.type === "user" && world.gone.has(principal.id)) return null;
  try {
    const verdict = run.propose(principal, said, { epoch: world.lease, ...change });
    const after = run.state();
    const record = run.records().at(-1)?.record;
    world.leases.push(world.lease);
    world.spoken.push({ principal, body: said, id: record?.proposal_id ?? "" });
    const left = run.records().length === count + 1 && record?.kind === (verdict.ok ? "transition" : "refusal");
    if (!left) world.violations.push({ property: "I2", what: "a proposal left no record of its own" });
    const elsewhere = (change.workspace ?? before.workspace) !== before.workspace || (change.run ?? before.run) !== before.run;
    if (verdict.ok && elsewhere) world.violations.push({ property: "R1", what: "a proposal to another run counted here" });
    if (!verdict.ok && OUTSIDE.some((field) => after[field] !== before[field]))
      world.violations.push({ property: "I2", what: `a refused ${said.kind} changed the state` });
    if (verdict.ok) world.violations.push(...checkSpoken(world.scenario.published, before, principal, said));
    if (!verdict.ok && principal.type === "executor") show(world, { ...verdict.refusal });

    return verdict;
  } catch (error) {
    world.violations.push({ property: "I2", what: `a proposal was neither accepted nor refused: ${String(error).slice(0, 200)}` });

    return null;
  }
};

export const here = (world: World): PublishedGraph => getPublishedHere(world.scenario.published, world.run.state());

export const currentNode = (world: World): GraphNode | undefined => {
  const { currentNode: id } = world.run.state();

  return here(world).graph.nodes.find((node) => node.id === id);
};

export const workerAt = (world: World, node: string): Principal => ({ type: "executor", node, agent: null, epoch: world.lease });
export const engineOf = (world: World): Principal => ({ type: "engine", epoch: world.lease });

/** As the current executor, about this visit. */
export const say = (world: World, body: Record<string, unknown>, change: Partial<Proposal> = {}): Verdict | null => {
  const node = currentNode(world);

  return node ? attempt(world, workerAt(world, node.id), { activation: world.run.state().activation ?? 0, ...body }, change) : null;
};

export const look = (world: World): void => {
  const node = currentNode(world);
  const state = world.run.state();
  if (!node || state.status === "waiting") return;
  for (const task of speakersOf(node)) {
    const given = world.rules.given(world.scenario.published, state, node.id, task);
    if (given === null) continue;
    show(world, { memory: given.memory, item: given.item });
    if (given.judges && Object.keys(given.memory).length > 0)
      world.violations.push({ property: "C1", what: `a judge of ${node.id} was shown memory` });
  }
  show(world, collectThreads(state));
};

/** Null: refused. */
export const reserve = (world: World, task = "", estimate: object = RESERVATION): string | null => {
  const reserved = say(world, { kind: "model_intent", task, ...RESERVATION, ...estimate });
  const event = reserved?.ok ? reserved.events.find(({ type }) => type === "budget_reserved") : undefined;

  return event?.type === "budget_reserved" ? event.reservation_id : null;
};

export const callModel = (world: World, more: Record<string, unknown> = {}, task = ""): boolean => {
  const reservation = reserve(world, task);
  if (reservation === null) return false;
  const state = world.run.state();
  const step = findAside(state, getThreadPath(state, task)).length;
  const usage = { model: "m", input_tokens: 10, output_tokens: 10, cost_micro_usd: 10, price_source: "scripted" };
  const said = { kind: "model_call", task, reservation_id: reservation, step, fresh: [], text: "done", tool_calls: [], usage, ...more };

  return say(world, said)?.ok === true;
};

const told = (world: World, effectId: string): void => {
  for (const cell of findAside(world.run.state(), `$arguments.${effectId}`)) if (cell.content.known) show(world, cell.content.value);
};

export const answer = (world: World, result: unknown, outcome: "ok" | "tool_error" = "ok"): void => {
  const effect = Object.values(world.run.state().effects).findLast(({ outcome: known }) => known === null);
  if (!effect) return;
  told(world, effect.effect_id);
  attempt(world, workerAt(world, effect.node), { kind: "effect_outcome", effect_id: effect.effect_id, outcome, result });
};

export const openGateOf = (world: World): GateState | undefined =>
  Object.values(world.run.state().gates).find(({ status }) => status === "open");

export const reviewers = [user(REVIEWER), user(SECOND)] as const;

const promises = (state: RunState, open: GateState): readonly [string, Json | undefined][] => {
  const node = open.gate.reason === "approval_node" ? open.gate.review_keys : [];

  return node.map((path) => [path, getKnownValue(state.cells.findLast((cell) => cell.path === path))]);
};

/** Approves benign views only. */
export const review = (world: World, by: Principal, choice?: "approve" | "reject", change: object = {}): void => {
  const open = openGateOf(world);
  if (!open || by.type !== "user") return;
  const root = world.scenario.published;
  const view = buildApprovalView(root, world.run.state(), open, "pii");
  const changes = view.lines.filter(({ op }) => op !== "show");
  const raises = getPublishedHere(root, world.run.state()).graph.nodes.some(
    (node) => node.id === open.gate.node && node.kind === "approval" && node.config.promote.length > 0,
  );
  const looked = view.lines.flatMap(({ path, after }): [string, Json][] =>
    open.gate.reason === "review" && path === open.gate.review_keys[0] && after && !after.hidden ? [[path, after.value]] : [],
  );
  const raised = raises ? promises(world.run.state(), open) : looked;
  const good =
    changes.every(({ path, after }) => after && !after.hidden && isBenign(path, after.value)) &&
    raised.every(([path, value]) => value === undefined || isBenign(path, value));
  const decision = choice ?? (good ? "approve" : "reject");
  if (decision === "approve" && good) world.meant.add(`${by.id} ${open.gate.id} ${open.gate.transition_digest}`);
  attempt(world, by, {
    kind: "decision",
    approval_id: open.gate.id,
    transition_digest: open.gate.transition_digest,
    view_digest: computeViewDigest(view),
    decision,
    ...(decision === "reject" ? { reason: "No." } : {}),
    nonce: open.gate.nonce,
    ...change,
  });
};

/** Must be accepted, else the engine would repeat it forever. */
export const tick = (world: World): boolean => {
  const propose = (principal: Principal, body: ProposalBody): Verdict | null => {
    const verdict = attempt(world, principal, body);
    if (verdict && !verdict.ok && world.rules.whole)
      world.violations.push({ property: "L1", what: `the engine planned ${body.kind}, and refused it: ${verdict.refusal.code}` });

    return verdict;
  };

  return playStep({ ...world.run, propose }, {}, world.lease) !== undefined;
};

/** @param early a move before the start */
export const newWorld = (scenario: Scenario, rules: Rules = RULES, variant: Variant = PLAIN, early = false): World => {
  const run = newRun(scenario.published, rules.decide);
  const world: World = {
    scenario,
    rules,
    variant,
    run,
    lease: 1,
    leases: [],
    shown: [],
    spoken: [],
    meant: new Set(),
    gone: new Map(),
    violations: [],
  };
  if (early) {
    attempt(world, user(REVIEWER, "viewer"), startBody(scenario.published, { topic: "plans" }));
    attempt(world, engineOf(world), { kind: "begin" });
    attempt(world, user(STARTER, "builder"), { kind: "cancel" });
  }
  const { salary, ssn } = variant.canaries;
  const inputs = { topic: "plans", salary, profile: { name: "Ada", ssn }, pay: PAY, ...scenario.inputs };
  attempt(world, user(STARTER, "builder"), startBody(scenario.published, inputs));
  tick(world);

  return world;
};
