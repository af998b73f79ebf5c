/** `decide` gets nothing to object to. */
import { decide } from "@/lib/engine/decide";
import type { Proposal, ProposalBody } from "@/lib/engine/proposal";
import type { Cell, GateState, RunState } from "@/lib/engine/state";
import type { GraphNode, PublishedGraph } from "@/lib/graph/document";
import { CLEAN } from "@/lib/graph/label";
import { RULES, type Rules } from "@/bench/adversary/world";

export type Guards = Readonly<Record<string, Rules>>;

export type Asked = { readonly published: PublishedGraph; readonly state: RunState; readonly proposal: Proposal };
type Parts = Pick<PublishedGraph, "graph" | "agents" | "tools">;

/** Derived data is cached by object. */
const everywhere = (change: (parts: Parts) => Parts): ((published: PublishedGraph) => PublishedGraph) => {
  const changed = new WeakMap<PublishedGraph, PublishedGraph>();

  return (published) => {
    const known = changed.get(published);
    if (known) return known;
    const subgraphs = published.subgraphs.map((child) => ({ ...child, ...change(child) }));
    const made = { ...published, ...change(published), subgraphs };
    changed.set(published, made);

    return made;
  };
};

/** Removes a rule, also from tasks' input. */
export const graphOff = (change: (parts: Parts) => Parts): Rules => {
  const of = everywhere(change);

  return {
    whole: false,
    decide: (published, state, proposal) => decide(of(published), state, proposal),
    given: (published, state, node, task) => RULES.given(of(published), state, node, task),
  };
};

export const nodesOff = (change: (node: GraphNode) => GraphNode): Rules =>
  graphOff((parts) => ({ ...parts, graph: { ...parts.graph, nodes: parts.graph.nodes.map(change) } }));

export const askedOff = (change: (asked: Asked) => Partial<Asked>): Rules => ({
  ...RULES,
  whole: false,
  decide: (published, state, proposal) => {
    const asked = { published, state, proposal };
    const doctored = { ...asked, ...change(asked) };

    return decide(doctored.published, doctored.state, doctored.proposal);
  },
});

export const graphOffFor = (applies: (body: ProposalBody) => boolean, change: (parts: Parts) => Parts): Rules => {
  const of = everywhere(change);

  return askedOff(({ published, proposal }) => (applies(proposal.body) ? { published: of(published) } : {}));
};

export const nodesOffFor = (applies: (body: ProposalBody) => boolean, change: (node: GraphNode) => GraphNode): Rules =>
  graphOffFor(applies, (parts) => ({ ...parts, graph: { ...parts.graph, nodes: parts.graph.nodes.map(change) } }));

export const stateOff = (change: (state: RunState, proposal: Proposal) => Partial<RunState>): Rules =>
  askedOff(({ state, proposal }) => ({ state: { ...state, ...change(state, proposal) } }));

export const stateOffFor = (kind: ProposalBody["kind"], change: (state: RunState, proposal: Proposal) => Partial<RunState>): Rules =>
  stateOff((state, proposal) => (proposal.body.kind === kind ? change(state, proposal) : {}));

export const gatesOff = (kind: ProposalBody["kind"], change: (gate: GateState) => GateState): Rules =>
  stateOffFor(kind, (state) => ({ gates: Object.fromEntries(Object.entries(state.gates).map(([id, gate]) => [id, change(gate)])) }));

export const cleaned = (cells: readonly Cell[]): readonly Cell[] => cells.map((cell) => ({ ...cell, label: CLEAN }));
