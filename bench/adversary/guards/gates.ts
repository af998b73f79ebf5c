import { ownEntry, type GateState } from "@/lib/engine/state";
import { askedOff, gatesOff, graphOffFor, nodesOffFor, type Guards } from "./guard";

const withoutEditors = (state: GateState): GateState => {
  const { editors: _none, ...gate } = state.gate;

  return { ...state, gate };
};

export const GATE_GUARDS: Guards = {
  "no sole approval by the editor": gatesOff("decision", withoutEditors),
  "only deciders edit": askedOff(({ proposal }) =>
    proposal.body.kind === "edit" && proposal.principal.type === "user"
      ? { proposal: { ...proposal, principal: { ...proposal.principal, role: "reviewer" } } }
      : {},
  ),
  "an edit is about one proposal": askedOff(({ state, proposal }) => {
    const { body } = proposal;
    const gate = body.kind === "edit" ? ownEntry(state.gates, body.approval_id)?.gate : undefined;

    return body.kind === "edit" && gate
      ? { proposal: { ...proposal, body: { ...body, nonce: gate.nonce, transition_digest: gate.transition_digest } } }
      : {};
  }),
  "an edit writes what its node may write": graphOffFor(
    ({ kind }) => kind === "edit",
    ({ graph, agents, tools }) => ({
      graph: { ...graph, nodes: graph.nodes.map((node) => ({ ...node, write_keys: ["*"] })) },
      agents: agents.map((agent) => ({ ...agent, permissions: {} })),
      tools,
    }),
  ),
  "a proposal is sent back only so often": nodesOffFor(
    ({ kind }) => kind === "decision",
    (node) => ({ ...node, failure_policy: { ...node.failure_policy, attempts: 10 } }),
  ),
  "a model does not repeat a rejected call": gatesOff("effect_intent", (gate) =>
    gate.status === "rejected" ? { ...gate, status: "void" } : gate,
  ),
  "rejections of a visit are bounded": gatesOff("decision", (gate) => (gate.status === "rejected" ? { ...gate, status: "void" } : gate)),
  "an approval counts while its giver may decide": askedOff(({ proposal }) => {
    const { body } = proposal;
    if (body.kind !== "decision") return {};
    const { lapsed: _left, ...rest } = body;

    return { proposal: { ...proposal, body: rest } };
  }),
};
