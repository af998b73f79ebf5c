import type { PublishedGraph } from "@/lib/graph/document";
import type { ApprovalView } from "@/lib/engine/approvals/approval-view";
import { findCaseOfGate } from "@/lib/engine/decide/case-people";
import { CONTROL_TEXT, listControlKinds } from "@/lib/engine/labels/control-position";
import { findGatedTool } from "@/lib/engine/approvals/authority-class";
import type { GateReason } from "@/lib/engine/event";
import { getPublishedHere } from "@/lib/engine/frame";
import { canBeShown } from "@/lib/engine/approvals/policy";
import type { GateState, RunState } from "@/lib/engine/state";

export type PolicyFinding = { readonly code: string; readonly text: string };

const finding = (code: string, text: string): PolicyFinding => ({ code, text });

const REASON = {
  approval_node: "The graph requires approval here.",
  protected_key: "The memory that would change is protected.",
  effect: "The graph requires approval for every such call.",
  tainted_effect: "The proposer of this call has read untrusted data.",
  tainted_route: "Untrusted data would choose the route.",
  unclear_effect: "The call was sent before, and its outcome is unknown.",
  undo: "Rolling back a call is itself a call.",
  requested: "An outside agent requests approval.",
  review: "Reviewers are asked for a verdict.",
  tool_input: "The tool asks for input before it continues. Its question is untrusted.",
  budget: "The run has reached its budget, and the graph asks a person for more.",
} as const satisfies Record<GateReason, string>;

const EFFECT = {
  pure: "The tool neither reads nor changes anything outside the run.",
  read: "The tool only reads.",
  write: "The tool changes something outside the run.",
  irreversible: "The tool's effect can't be undone.",
} as const;

const ofCall = (published: PublishedGraph, gateState: GateState, { lines }: ApprovalView): PolicyFinding[] => {
  const tool = findGatedTool(published, gateState.gate);
  if (!tool) return gateState.gate.transition.effect ? [finding("effect_unknown", "This tool's effect is unknown.")] : [];
  const sensitive = lines.some(({ op, confidentiality }) => op === "call" && !canBeShown({ confidentiality }, "internal"));

  return [
    finding(`effect_${tool.effect}`, EFFECT[tool.effect]),
    ...(tool.outward ? [finding("outward", `${tool.server} sends data to a third party.`)] : []),
    ...(tool.outward && sensitive ? [finding("sensitive_outward", "Sensitive data would be sent to a third party.")] : []),
  ];
};

/** Judges hidden values by path. */
const ofControls = ({ lines }: ApprovalView): PolicyFinding[] =>
  [...new Set(lines.flatMap(listControlKinds))].map((kind) => finding(`untrusted_${kind}`, `An untrusted value ${CONTROL_TEXT[kind]}.`));

const ofVerification = (state: RunState, { gate }: GateState): PolicyFinding[] => {
  const looked = Object.values(state.cases).filter(
    ({ case: { subject } }) => subject.type === "effect" && subject.transition_digest === gate.transition_digest,
  );
  if (looked.some(({ status }) => status === "passed")) return [finding("verified", "Independent checks of exactly this call passed.")];

  return looked.some(({ status }) => status === "rejected" || status === "expired")
    ? [finding("verification_failed", "Independent checks of exactly this call failed.")]
    : [];
};

const ofPeople = (state: RunState, gateState: GateState): PolicyFinding[] => {
  const { gate } = gateState;
  const { editors = [], quorum } = gate;
  const producers = findCaseOfGate(state, gateState)?.case.producers ?? [];

  return [
    finding(
      "quorum",
      quorum === 1
        ? `One ${gate.role} decides.`
        : `${quorum} people with the role ${gate.role} must approve. One rejection is enough to reject.`,
    ),
    ...(gate.demands ? [finding("named", "Only the named approvers can decide, or people to whom one of them delegated.")] : []),
    ...(gate.signature === "passkey" ? [finding("passkey", "Approvals must be signed with a passkey.")] : []),
    finding("excluded_starter", "The person who started the run, or drives it through an agent, can't decide."),
    ...(quorum === 1
      ? [finding("excluded_author", "The author of the graph version can't be the only approver.")]
      : [finding("limited_author", "The author of the graph version counts as one of several approvers.")]),
    ...(editors.length === 0
      ? []
      : [
          quorum === 1
            ? finding("excluded_editor", "A person who edited the proposal can't be its only approver.")
            : finding("limited_editor", "A person who edited the proposal counts as one of several approvers."),
        ]),
    ...(producers.length === 0 ? [] : [finding("excluded_producers", "People who contributed to the data can't review it.")]),
  ];
};

export const listPolicyFindings = (
  root: PublishedGraph,
  state: RunState,
  gateState: GateState,
  view: ApprovalView,
): readonly PolicyFinding[] => [
  finding(`asked_${gateState.gate.reason}`, REASON[gateState.gate.reason]),
  ...(gateState.gate.editors ? [finding("edited", "A person edited the proposal.")] : []),
  ...ofCall(getPublishedHere(root, state), gateState, view),
  ...ofControls(view),
  ...ofVerification(state, gateState),
  ...ofPeople(state, gateState),
];
