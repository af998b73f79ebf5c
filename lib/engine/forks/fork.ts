/** Forks inherit no approvals, calls in flight, undos or spending. */
import type { z } from "zod";
import type { PublishedGraph } from "@/lib/graph/document";
import { digestOf, type HexDigest } from "@/lib/hash";
import type { Json } from "@/lib/json";
import type { runForkedSchema } from "@/lib/engine/events/run";
import { findChild } from "@/lib/engine/frame";
import { findAside, isResting, isSimulated, getKnownValue, type Fork, type GateState, type RunState } from "@/lib/engine/state";
import { computeTransitionDigest } from "@/lib/engine/ledger/transition";

export type ForkEvent = z.infer<typeof runForkedSchema>;

export const MAX_FORK_DEPTH = 32;

export const getPromptPath = (agent: string): string => `$prompt.${agent}`;

const forkOf = (state: RunState, event: ForkEvent): Fork => {
  const { change } = event;
  // Version changes drop earlier replacements.
  const before = change.type === "version" ? null : state.fork;

  return {
    parentRun: event.parent_run,
    parentSeq: event.parent_seq,
    change,
    effects: event.effects,
    depth: (state.fork?.depth ?? 0) + 1,
    initiators: [...new Set([...(state.fork?.initiators ?? []), ...(state.start ? [state.start.initiator] : []), ...state.drivers])],
    approved:
      state.fork?.approved === true ||
      Object.values(state.gates).some(({ gate, status }) => gate.reason === "approval_node" && status === "approved"),
    strictTaint: change.type === "strict_taint" ? change.value : (before?.strictTaint ?? null),
    prompts: [...new Set([...(before?.prompts ?? []), ...(change.type === "prompt" ? [change.agent] : [])])],
  };
};

const ownGate = (state: RunState, { gate, ...rest }: GateState, event: ForkEvent): GateState => {
  const transition = { ...gate.transition, run: event.run, graph_hash: event.graph_hash, policy_hash: state.policyHash };

  return { ...rest, gate: { ...gate, transition, transition_digest: computeTransitionDigest(transition) } };
};

const inheritedGate = (state: RunState, gate: GateState, event: ForkEvent): GateState => {
  const { change } = event;
  if (change.type === "decision" && change.approval_id === gate.gate.id && gate.status === "open") return ownGate(state, gate, event);
  // They authorize nothing, but link edits to the gate decided here.
  if (change.type === "decision" && gate.status === "superseded") return ownGate(state, gate, event);
  // Voids everything that could still authorize.
  const isUsable = gate.status === "open" || (gate.status === "approved" && gate.usedBy === null);

  return { ...gate, status: isUsable ? "void" : gate.status, receipt: null };
};

/**
 * Builds a fork's initial state; usage starts at zero.
 * @param at ms since 1970
 */
export const forkState = (state: RunState, event: ForkEvent, at: number): RunState => ({
  ...state,
  run: event.run,
  graphHash: event.graph_hash,
  refusals: 0,
  endReason: null,
  status: state.status === "waiting" && !isResting(state) ? "running" : state.status,
  startedAt: state.startedAt === null ? null : at,
  waitingSince: isResting(state) ? at : null,
  position: state.position && { ...state.position, since: at },
  waitedMs: 0,
  totalTokens: 0,
  costMicroUsd: 0,
  spent: {},
  reservations: {},
  thresholds: [],
  // The parent undoes its own effects.
  compensation: [],
  drivers: [],
  frames: state.frames.map((frame) => ({ ...frame, entered: { ...frame.entered, workedMs: 0, tokens: 0, costMicroUsd: 0 } })),
  // Calls in flight stay with the parent; the fork asks again.
  effects: Object.fromEntries(Object.entries(state.effects).filter(([id, effect]) => effect.outcome !== null || isChanged(event, id))),
  gates: Object.fromEntries(Object.entries(state.gates).map(([id, gate]) => [id, inheritedGate(state, gate, event)])),
  // Verdicts concerned the parent's values.
  cases: {},
  // The parent's token answers the parent only.
  wait: null,
  fork: forkOf(state, event),
});

const isChanged = ({ change }: ForkEvent, effectId: string): boolean => change.type === "tool_result" && change.effect_id === effectId;

export type Overrides = { readonly strictTaint: boolean | null; readonly prompts: Readonly<Record<string, string>> };

/** Applies replacements; the same object without any. */
export const publishWith = (base: PublishedGraph, { strictTaint, prompts }: Overrides): PublishedGraph => {
  if (strictTaint === null && Object.keys(prompts).length === 0) return base;

  return {
    ...base,
    graph: { ...base.graph, strict_taint: strictTaint ?? base.graph.strict_taint },
    agents: base.agents.map((agent) => {
      const replaced = Object.hasOwn(prompts, agent.id) ? prompts[agent.id] : undefined;

      return replaced === undefined ? agent : { ...agent, system_prompt: replaced };
    }),
  };
};

const overridesOf = (state: RunState): Overrides => {
  const prompts = (state.fork?.prompts ?? []).flatMap((agent): [string, string][] => {
    const text = getKnownValue(findAside(state, getPromptPath(agent)).at(-1));

    return typeof text === "string" ? [[agent, text]] : [];
  });

  return { strictTaint: state.fork?.strictTaint ?? null, prompts: Object.fromEntries(prompts) };
};

/**
 * Returns what a run executes.
 * @param base stored version
 */
export const getPublished = (base: PublishedGraph, state: RunState): PublishedGraph => publishWith(base, overridesOf(state));

export const hashOfExecuted = (base: PublishedGraph, baseHash: HexDigest, executed: PublishedGraph): HexDigest =>
  base === executed ? baseHash : digestOf("graph", JSON.parse(JSON.stringify(executed)) as Json);

/** Returns whether this version has the run's place. */
export const hasPlaceOf = (root: PublishedGraph, state: RunState): boolean => {
  let here: PublishedGraph = root;
  for (const frame of state.frames) {
    const child = findChild(here, frame.node);
    if (child?.version !== frame.version) return false;
    here = child;
  }

  if (state.currentNode === null && state.position === null) return true;
  // Internal and external routing do not mix.
  if ((state.position === null) !== (root.graph.external === undefined)) return false;
  const awaited = isResting(state) ? (state.position?.actions ?? []) : [];
  const places = state.currentNode === null ? awaited.map(({ node }) => node) : [state.currentNode];

  return places.every((place) => here.graph.nodes.some((node) => node.id === place));
};

/** Returns whether a fork may continue; simulated approvals authorize no live run. */
export const canContinue = (state: RunState, effects: Fork["effects"]): boolean => effects === "simulate" || !isSimulated(state);
