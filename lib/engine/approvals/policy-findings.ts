/** Policy findings: why people are asked and who may answer. No values. */
import type { PublishedGraph } from "@/lib/graph/document";
import type { ApprovalView } from "@/lib/engine/approvals/approval-view";
import { caseOfGate } from "@/lib/engine/decide/case-people";
import { CONTROL_TEXT, controlKinds } from "@/lib/engine/labels/control-position";
import { gatedTool } from "@/lib/engine/approvals/authority-class";
import type { GateReason } from "@/lib/engine/event";
import { publishedHere } from "@/lib/engine/frame";
import { mayBeShown } from "@/lib/engine/approvals/policy";
import type { GateState, RunState } from "@/lib/engine/state";

export type PolicyFinding = { readonly code: string; readonly text: string };

const finding = (code: string, text: string): PolicyFinding => ({ code, text });

const REASON = {
  approval_node: "The graph puts a person here.",
  protected_key: "The memory that would change is protected.",
  effect: "The graph asks a person about every such call.",
  tainted_effect: "Whoever asks for this call was shown data that nobody vouches for.",
  tainted_route: "Untrusted data would decide where the run goes on.",
  unclear_effect: "The call was sent before, and nobody knows whether it happened.",
  undo: "A call is to be undone, which is a call of its own.",
  requested: "An outside agent asks for a person's yes.",
  review: "People are asked for their verdict.",
  tool_input: "The tool asks a person for something before it goes on; its words are its server's and nobody vouches for them.",
} as const satisfies Record<GateReason, string>;

const EFFECT = {
  pure: "The tool changes nothing and reads nothing outside.",
  read: "The tool only reads.",
  write: "The tool changes something outside the run.",
  irreversible: "What the tool does cannot be undone.",
} as const;

const ofCall = (published: PublishedGraph, gateState: GateState, { lines }: ApprovalView): PolicyFinding[] => {
  const tool = gatedTool(published, gateState.gate);
  if (!tool) return gateState.gate.transition.effect ? [finding("effect_unknown", "Nobody has said what this tool does.")] : [];
  const sensitive = lines.some(({ op, confidentiality }) => op === "call" && !mayBeShown({ confidentiality }, "internal"));

  return [
    finding(`effect_${tool.effect}`, EFFECT[tool.effect]),
    ...(tool.outward ? [finding("outward", `What ${tool.server} is told leaves what we control.`)] : []),
    ...(tool.outward && sensitive ? [finding("sensitive_outward", "Sensitive data would leave what we control.")] : []),
  ];
};

/** Uses only what the reader sees: hidden values are judged by their path. */
const ofControls = ({ lines }: ApprovalView): PolicyFinding[] =>
  [...new Set(lines.flatMap(controlKinds))].map((kind) =>
    finding(`untrusted_${kind}`, `An untrusted value stands where it steers what happens: ${CONTROL_TEXT[kind]}.`),
  );

const ofVerification = (state: RunState, { gate }: GateState): PolicyFinding[] => {
  const looked = Object.values(state.cases).filter(
    ({ case: { subject } }) => subject.type === "effect" && subject.transition_digest === gate.transition_digest,
  );
  if (looked.some(({ status }) => status === "passed"))
    return [finding("verified", "Independent checks of exactly this call have passed.")];

  return looked.some(({ status }) => status === "rejected" || status === "expired")
    ? [finding("verification_failed", "Independent checks of exactly this call did not pass.")]
    : [];
};

const ofPeople = (state: RunState, gateState: GateState): PolicyFinding[] => {
  const { gate } = gateState;
  const { editors = [], quorum } = gate;
  const producers = caseOfGate(state, gateState)?.case.producers ?? [];

  return [
    finding(
      "quorum",
      quorum === 1 ? `One ${gate.role} decides.` : `${quorum} people of role ${gate.role} have to approve; one no is enough.`,
    ),
    ...(gate.signature === "passkey" ? [finding("passkey", "An approval has to be signed with a passkey.")] : []),
    finding("excluded_starter", "Whoever started the run, or drives it by an agent, does not decide in it."),
    ...(quorum === 1
      ? [finding("excluded_author", "The author of the graph version cannot be the only one to approve.")]
      : [finding("limited_author", "The author of the graph version counts as one of several.")]),
    ...(editors.length === 0
      ? []
      : [
          quorum === 1
            ? finding("excluded_editor", "Who edited the proposal cannot be the only one to approve it.")
            : finding("limited_editor", "Who edited the proposal counts as one of several."),
        ]),
    ...(producers.length === 0 ? [] : [finding("excluded_producers", "Nobody reviews what they had a part in.")]),
  ];
};

/** @param view as shown to this reader */
export const policyFindings = (
  root: PublishedGraph,
  state: RunState,
  gateState: GateState,
  view: ApprovalView,
): readonly PolicyFinding[] => [
  finding(`asked_${gateState.gate.reason}`, REASON[gateState.gate.reason]),
  ...(gateState.gate.editors ? [finding("edited", "A person changed what was proposed.")] : []),
  ...ofCall(publishedHere(root, state), gateState, view),
  ...ofControls(view),
  ...ofVerification(state, gateState),
  ...ofPeople(state, gateState),
];
