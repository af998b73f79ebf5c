import type { GraphNode, PinnedTool } from "@/lib/graph/document";
import { matchesSchema } from "@/lib/graph/json-schema";
import { joinLabels, type Label } from "@/lib/graph/label";
import { isJsonObject, toPlainJson, type JsonObject } from "@/lib/json";
import type { RefusalCode } from "@/lib/refusal";
import { err, ok, type Result } from "@/lib/result";
import type { DecideContext } from "@/lib/engine/decide/context";
import { findEditedCall, findSentBack } from "@/lib/engine/approvals/edited";
import { findRejection, findRepeated } from "@/lib/engine/approvals/rejected-calls";
import type { Transition } from "@/lib/engine/event";
import { canBeShown } from "@/lib/engine/approvals/policy";
import type { BodyOf } from "@/lib/engine/proposal";
import type { GateState } from "@/lib/engine/state";
import { buildEffectTransition, findReceiptFor, computeTransitionDigest } from "@/lib/engine/ledger/transition";

const ARGUMENT_LIMITS = { maxBytes: 262_144, maxDepth: 32 };

export const AVAILABILITY = {
  unavailable: "tool_unavailable",
  not_allowed: "tool_not_granted",
  drifted: "tool_drifted",
} as const satisfies Record<string, RefusalCode>;

/** Returns plain JSON arguments that match the schema, or null. */
export const checkArguments = (tool: PinnedTool, value: unknown): JsonObject | null => {
  const plain = toPlainJson(value, ARGUMENT_LIMITS);

  return plain.ok && isJsonObject(plain.value) && matchesSchema(tool.input_schema, plain.value, false) ? plain.value : null;
};

/** Returns the tool's rule that a call breaks, or null. */
export const findToolRefusal = (
  tool: PinnedTool,
  availability: BodyOf<"effect_intent">["availability"],
  args: JsonObject | null,
  label: Label,
): RefusalCode | null => {
  if (availability !== "ok") return AVAILABILITY[availability];
  if (!args) return "arguments_invalid";

  // No approval lifts clearance.
  return canBeShown(label, tool.clearance) ? null : "sink_not_cleared";
};

type Asked = { readonly args: JsonObject; readonly label: Label; readonly transition: Transition };
type Call = {
  readonly tool: PinnedTool;
  readonly call: string;
  readonly task: string;
  readonly asked: Asked;
  /** A model may not repeat what a person rejected. */
  readonly byModel: boolean;
};
type Allowed = Asked & { readonly receipt: GateState | undefined };

/** Returns the proposed or edited call with its authorization. */
export const checkApprovedCall = (
  { published, state, proposal, body }: DecideContext<"effect_intent">,
  node: GraphNode,
  { tool, call, task, asked, byModel }: Call,
): Result<Allowed, { readonly code: RefusalCode; readonly ids: readonly string[] }> => {
  const digest = computeTransitionDigest(asked.transition);
  const receipt = findReceiptFor(state, digest, proposal.at);
  if (receipt) return ok({ ...asked, receipt });
  const edited = findEditedCall(state, digest, proposal.at);
  const args = edited && checkArguments(tool, edited.arguments);
  if (edited && args) {
    const label = joinLabels([asked.label, edited.label]);
    const code = findToolRefusal(tool, body.availability, args, label);
    if (code) return err({ code, ids: [] });
    const transition = buildEffectTransition(published, state, node, tool, args, call, task);
    // A different digest needs another approval.
    if (computeTransitionDigest(transition) === edited.gateState.gate.transition_digest)
      return ok({ args, label, transition, receipt: edited.gateState });
  }

  const sent = findSentBack(state, digest);
  if (sent) return err({ code: "changes_requested", ids: [sent.gate.id] });
  const rejected = byModel ? findRejection(state, digest) : undefined;
  if (rejected) return err({ code: "call_rejected", ids: [rejected.gate.id] });
  const repeated = byModel ? findRepeated(state, tool, asked.args) : undefined;

  return repeated ? err({ code: "call_repeated", ids: [repeated.gate.id] }) : ok({ ...asked, receipt: undefined });
};
