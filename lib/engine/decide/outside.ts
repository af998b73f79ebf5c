import { listActionNodes } from "@/lib/graph/actions";
import type { GraphNode } from "@/lib/graph/document";
import { joinLabels, type Label } from "@/lib/graph/label";
import { refuse, type Refusal, type RefusalCode } from "@/lib/refusal";
import { err, ok, type Result } from "@/lib/result";
import { findNodeById, type DecideContext } from "@/lib/engine/decide/context";
import { openGate } from "@/lib/engine/decide/gate";
import { checkGivenInputs, type Given } from "@/lib/engine/decide/inputs";
import { labelChoice, labelFromAgent, describePendingStep, takeStep, type Step } from "@/lib/engine/decide/step";
import { accept, reject, type Verdict } from "@/lib/engine/decide/verdict";
import { limitReached } from "@/lib/engine/limits";
import type { AgentScope, Principal } from "@/lib/engine/principal";
import { isResting, type RunState } from "@/lib/engine/state";
import { listOverwritten, buildTransition } from "@/lib/engine/ledger/transition";

type Context = DecideContext<"step" | "request_approval">;
type Agent = Extract<Principal, { type: "agent" }>;

const legalNow = (state: RunState): string[] => {
  const open = Object.values(state.gates).find((gate) => gate.status === "open");
  const busy = state.frames[0]?.node ?? state.currentNode ?? open?.gate.node;
  if (busy !== undefined) return [`step:${busy}`];

  return (state.position?.actions ?? []).map(({ node }) => `step:${node}`);
};

const objection = ({ root, state, proposal, body }: Context, agent: Agent, scope: AgentScope): RefusalCode | null => {
  if (root.graph.external === undefined) return "principal_not_allowed";
  if (!agent.scopes.includes(scope)) return "scope_missing";
  if (body.kind === "step" && body.expected_seq !== undefined && body.expected_seq !== state.version) return "version_conflict";
  const limit = limitReached(state, proposal.at);
  if (limit) return limit;
  if (state.unwinding) return "run_finished";
  const isHeld = Object.values(state.gates).some((gate) => gate.status === "open");

  return isResting(state) && !isHeld ? null : "approval_pending";
};

/** The refusal code alone tells missing from unreachable. */
const actionOf = ({ published, state, body }: Context): Result<GraphNode, RefusalCode> => {
  if (!listActionNodes(published.graph).some(({ id }) => id === body.action)) return err("unknown_action");
  const node = findNodeById(published, body.action);

  return node && state.position?.actions.some((action) => action.node === node.id) ? ok(node) : err("invalid_transition");
};

type Asked = { readonly node: GraphNode; readonly step: Step; readonly given: Given; readonly by: Label };

const asked = (context: Context, agent: Agent, scope: AgentScope, by: Label): Result<Asked, Refusal> => {
  const { published, state, body } = context;
  const legal = legalNow(state);
  const code = objection(context, agent, scope);
  if (code) return err(refuse(code, [], legal));
  const node = actionOf(context);
  if (!node.ok) return err(refuse(node.error, [], legal));
  const given = checkGivenInputs(published, state, node.value, body.inputs, by);
  if (!given.ok) return err({ ...given.error, legal });
  const { token, session, integrity } = agent;
  const step = { action: node.value.id, names: [...given.value.names], token, session, integrity };

  return ok({ node: node.value, step, given: given.value, by });
};

/** Only memory can make the gate stale. */
const hold = (
  { published, state, proposal }: Context,
  { node, step, given, by }: Asked,
  reason: "requested" | "tainted_route",
  prompt: string,
) => {
  const pending = describePendingStep(step, given.updates);
  const overwrites = listOverwritten(
    state,
    given.updates.map(({ path }) => path),
  );

  return openGate(proposal, {
    node,
    reason,
    prompt,
    transition: buildTransition(
      published,
      state,
      node,
      { kind: "step", value: pending, call: String(state.position?.since) },
      { overwrites },
    ),
    pending,
    // Readers need clearance for everything the step writes.
    label: joinLabels([labelChoice(state, by), by, given.label]),
  });
};

export const decideStep = (context: DecideContext<"step">): Verdict => {
  const { published, state, proposal } = context;
  const { principal } = proposal;
  if (principal.type !== "agent") return reject(refuse("principal_not_allowed"));
  const by = labelFromAgent(principal.token, principal.integrity);
  const found = asked(context, principal, "run.drive", by);
  if (!found.ok) return reject(found.error, state.currentNode);
  const { node, step, given } = found.value;
  if (given.protectedInputs.length > 0) return reject(refuse("key_protected", given.protectedInputs, legalNow(state)));
  const isChoice = (state.position?.actions.length ?? 0) > 1;
  if (published.graph.strict_taint && isChoice && by.integrity === "untrusted") {
    const gate = hold(context, found.value, "tainted_route", `An untrusted agent would go on with ${node.title || node.id}`);

    return accept({ ...gate, node: node.id });
  }
  const taken = takeStep(published, state, step, given.updates, by);

  return taken.ok ? accept({ ...taken.value, node: node.id }) : reject(taken.error);
};

export const decideRequest = (context: DecideContext<"request_approval">): Verdict => {
  const { state, proposal, body } = context;
  const { principal } = proposal;
  if (principal.type !== "agent") return reject(refuse("principal_not_allowed"));
  const by = labelFromAgent(principal.token, principal.integrity);
  // Inputs count as reviewed once approved.
  const reviewed = labelFromAgent(principal.token, principal.integrity === "untrusted" ? "reviewed" : principal.integrity);
  const found = asked(context, principal, "approval.request", reviewed);
  if (!found.ok) return reject(found.error, state.currentNode);
  const { node } = found.value;
  const gate = hold(context, { ...found.value, by }, "requested", `An outside agent asks to go on with ${node.title || node.id}`);
  const reason = body.reason === undefined ? [] : [{ path: "$reason", value: body.reason.toWellFormed(), label: by }];

  return accept({ ...gate, writes: [...gate.writes, ...reason], node: node.id });
};
