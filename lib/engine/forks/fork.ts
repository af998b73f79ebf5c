/**
 * Forks: a run that goes on from a record of another run, with one declared change. It inherits what is known, and
 * nothing that is allowed: no approval, no receipt, no call that is under way, no undo, no spending.
 */
import type { PublishedGraph } from "@/lib/graph/document";
import { digestOf, type HexDigest } from "@/lib/hash";
import type { Json } from "@/lib/json";
import type { RunEvent } from "@/lib/engine/event";
import { childOf } from "@/lib/engine/frame";
import { asideAt, isResting, isSimulated, knownValue, type Fork, type GateState, type RunState } from "@/lib/engine/state";
import { transitionDigest } from "@/lib/engine/ledger/transition";

export type ForkEvent = Extract<RunEvent, { type: "run_forked" }>;

export const MAX_FORK_DEPTH = 32;

/** Prompts that a fork replaced lie beside the state, as the words they are. */
export const promptPath = (agent: string): string => `$prompt.${agent}`;

/** What of a published version a fork and those before it replaced. */
const forkOf = (state: RunState, event: ForkEvent): Fork => {
  const { change } = event;
  // Another version is taken as it is: what was replaced in the old one has no place in it.
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

/** The gate that a fork decides otherwise, as a gate of the fork: an approval names the run and the graph that it is for. */
const ownGate = (state: RunState, { gate, ...rest }: GateState, event: ForkEvent): GateState => {
  const transition = { ...gate.transition, run: event.run, graph_hash: event.graph_hash, policy_hash: state.policyHash };

  return { ...rest, gate: { ...gate, transition, transition_digest: transitionDigest(transition) } };
};

const inheritedGate = (state: RunState, gate: GateState, event: ForkEvent): GateState => {
  const { change } = event;
  if (change.type === "decision" && change.approval_id === gate.gate.id && gate.status === "open") return ownGate(state, gate, event);
  // What was edited allows nothing by itself, and is how an edit is found that is decided here.
  if (change.type === "decision" && gate.status === "superseded") return ownGate(state, gate, event);
  // Whatever still could let something pass lets nothing pass here.
  const isUsable = gate.status === "open" || (gate.status === "approved" && gate.usedBy === null);

  return { ...gate, status: isUsable ? "void" : gate.status, receipt: null };
};

/**
 * The state in which a fork begins, made of its parent's at that moment. Nothing that the parent used counts here, and its
 * limits begin anew.
 * @param at ms since 1970
 */
export const forkedState = (state: RunState, event: ForkEvent, at: number): RunState => ({
  ...state,
  run: event.run,
  graphHash: event.graph_hash,
  refusals: 0,
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
  // What the parent did is the parent's to undo.
  compensation: [],
  drivers: [],
  frames: state.frames.map((frame) => ({ ...frame, entered: { ...frame.entered, workedMs: 0, tokens: 0, costMicroUsd: 0 } })),
  // A call that is under way is the parent's; here its node asks again.
  effects: Object.fromEntries(Object.entries(state.effects).filter(([id, effect]) => effect.outcome !== null || isChanged(event, id))),
  gates: Object.fromEntries(Object.entries(state.gates).map(([id, gate]) => [id, inheritedGate(state, gate, event)])),
  // Verdicts were given on what the parent had; here somebody looks again.
  cases: {},
  fork: forkOf(state, event),
});

const isChanged = ({ change }: ForkEvent, effectId: string): boolean => change.type === "tool_result" && change.effect_id === effectId;

/** What replaces parts of a version in a fork. */
export type Overrides = { readonly strictTaint: boolean | null; readonly prompts: Readonly<Record<string, string>> };

/** A version with parts of it replaced. Without anything to replace it is the same object. */
export const publishedWith = (base: PublishedGraph, { strictTaint, prompts }: Overrides): PublishedGraph => {
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
    const text = knownValue(asideAt(state, promptPath(agent)).at(-1));

    return typeof text === "string" ? [[agent, text]] : [];
  });

  return { strictTaint: state.fork?.strictTaint ?? null, prompts: Object.fromEntries(prompts) };
};

/** What a run with this state executes. @param base the stored version that its row names */
export const publishedOf = (base: PublishedGraph, state: RunState): PublishedGraph => publishedWith(base, overridesOf(state));

/** The name of what is executed: the version's own, unless parts of it were replaced. */
export const hashOfExecuted = (base: PublishedGraph, baseHash: HexDigest, executed: PublishedGraph): HexDigest =>
  // What a schema has parsed is plain JSON; its types only do not say so.
  base === executed ? baseHash : digestOf("graph", JSON.parse(JSON.stringify(executed)) as Json);

/** Whether the run is at a place that this version has, through every subgraph that it is in. */
export const hasPlaceOf = (root: PublishedGraph, state: RunState): boolean => {
  let here: PublishedGraph = root;
  for (const frame of state.frames) {
    const child = childOf(here, frame.node);
    if (child?.version !== frame.version) return false;
    here = child;
  }

  if (state.currentNode === null && state.position === null) return true;
  // Who says where the run goes does not change in the middle of it.
  if ((state.position === null) !== (root.graph.external === undefined)) return false;
  const awaited = isResting(state) ? (state.position?.actions ?? []) : [];
  const places = state.currentNode === null ? awaited.map(({ node }) => node) : [state.currentNode];

  return places.every((place) => here.graph.nodes.some((node) => node.id === place));
};

/** Whether a fork with these effects may go on from here: what a simulation let pass nobody has allowed. */
export const mayContinue = (state: RunState, effects: Fork["effects"]): boolean => effects === "simulate" || !isSimulated(state);
