/**
 * A guard that is switched off from outside: `decide` is called with a graph, a state or a proposal in which there is
 * nothing left for the guard to object to. The product has no switch for any of this, and the oracles know nothing of it.
 */
import { decide } from "@/lib/engine/decide";
import type { Proposal, ProposalBody } from "@/lib/engine/proposal";
import type { GateState, RunState } from "@/lib/engine/state";
import type { GraphNode, PublishedGraph } from "@/lib/graph/document";
import { RULES, type Rules } from "@/bench/adversary/world";

export type Guards = Readonly<Record<string, Rules>>;

type Asked = { readonly published: PublishedGraph; readonly state: RunState; readonly proposal: Proposal };

/** Without what a graph says; views are made of that graph too. */
export const graphOff = (change: (published: PublishedGraph) => PublishedGraph): Rules => {
  const changed = new WeakMap<PublishedGraph, PublishedGraph>();
  const of = (published: PublishedGraph) => {
    const known = changed.get(published) ?? change(published);
    changed.set(published, known);

    return known;
  };

  return {
    ...RULES,
    decide: (published, state, proposal) => decide(of(published), state, proposal),
    view: (published, state, node) => {
      const doctored = of(published);

      return RULES.view(doctored, state, doctored.graph.nodes.find(({ id }) => id === node.id) ?? node);
    },
  };
};

export const nodesOff = (change: (node: GraphNode) => GraphNode): Rules =>
  graphOff((published) => ({ ...published, graph: { ...published.graph, nodes: published.graph.nodes.map(change) } }));

export const askedOff = (change: (asked: Asked) => Partial<Asked>): Rules => ({
  ...RULES,
  decide: (published, state, proposal) => {
    const asked = { published, state, proposal };
    const doctored = { ...asked, ...change(asked) };

    return decide(doctored.published, doctored.state, doctored.proposal);
  },
});

export const stateOff = (change: (state: RunState, proposal: Proposal) => Partial<RunState>): Rules =>
  askedOff(({ state, proposal }) => ({ state: { ...state, ...change(state, proposal) } }));

export const gatesOff = (kind: ProposalBody["kind"], change: (gate: GateState) => GateState): Rules =>
  stateOff((state, { body }) =>
    body.kind === kind ? { gates: Object.fromEntries(Object.entries(state.gates).map(([id, gate]) => [id, change(gate)])) } : {},
  );
