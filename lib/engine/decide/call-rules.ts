/** The rules of a pinned tool that every call of it keeps, whoever made its arguments; and what people allowed in its place. */
import type { GraphNode, PinnedTool } from "@/lib/graph/document";
import { matchesSchema } from "@/lib/graph/json-schema";
import { joinLabels, type Label } from "@/lib/graph/label";
import { isJsonObject, plainJson, type JsonObject } from "@/lib/json";
import type { RefusalCode } from "@/lib/refusal";
import { err, ok, type Result } from "@/lib/result";
import type { DecideContext } from "@/lib/engine/decide/context";
import { editedCall, sentBack } from "@/lib/engine/approvals/edited";
import type { Transition } from "@/lib/engine/event";
import { mayBeShown } from "@/lib/engine/approvals/policy";
import type { BodyOf } from "@/lib/engine/proposal";
import type { GateState } from "@/lib/engine/state";
import { effectTransition, receiptFor, transitionDigest } from "@/lib/engine/ledger/transition";

const ARGUMENT_LIMITS = { maxBytes: 262_144, maxDepth: 32 };

/** Why a tool cannot be called, by what was found at its door. */
export const AVAILABILITY = {
  unavailable: "tool_unavailable",
  not_allowed: "tool_not_granted",
  drifted: "tool_drifted",
} as const satisfies Record<string, RefusalCode>;

/** The arguments, when they are plain JSON that the pinned schema allows. */
export const checkArguments = (tool: PinnedTool, value: unknown): JsonObject | null => {
  const plain = plainJson(value, ARGUMENT_LIMITS);

  return plain.ok && isJsonObject(plain.value) && matchesSchema(tool.input_schema, plain.value, false) ? plain.value : null;
};

/** Which of the pinned tool's rules a call would break, if any. */
export const toolRefusal = (
  tool: PinnedTool,
  availability: BodyOf<"effect_intent">["availability"],
  args: JsonObject | null,
  label: Label,
): RefusalCode | null => {
  if (availability !== "ok") return AVAILABILITY[availability];
  if (!args) return "arguments_invalid";

  // What a tool may be told is a limit that no person lifts for one call.
  return mayBeShown(label, tool.clearance) ? null : "sink_not_cleared";
};

type Asked = { readonly args: JsonObject; readonly label: Label; readonly transition: Transition };
type Call = { readonly tool: PinnedTool; readonly call: string; readonly task: string; readonly asked: Asked };
type Allowed = Asked & { readonly receipt: GateState | undefined };

/**
 * What is called and what allows it: the call as it was asked for, or as people edited and then approved it. A call that
 * was sent back with a note is not made.
 */
export const approvedCall = (
  { published, state, proposal, body }: DecideContext<"effect_intent">,
  node: GraphNode,
  { tool, call, task, asked }: Call,
): Result<Allowed, { readonly code: RefusalCode; readonly ids: readonly string[] }> => {
  const digest = transitionDigest(asked.transition);
  const receipt = receiptFor(state, digest, proposal.at);
  if (receipt) return ok({ ...asked, receipt });
  const edited = editedCall(state, digest, proposal.at);
  const args = edited && checkArguments(tool, edited.arguments);
  if (edited && args) {
    const label = joinLabels([asked.label, edited.label]);
    const code = toolRefusal(tool, body.availability, args, label);
    if (code) return err({ code, ids: [] });
    const transition = effectTransition(published, state, node, tool, args, call, task);
    // What people approved is what is called, on the same ground, or they are asked again.
    if (transitionDigest(transition) === edited.gateState.gate.transition_digest)
      return ok({ args, label, transition, receipt: edited.gateState });
  }

  const sent = sentBack(state, digest);

  return sent ? err({ code: "changes_requested", ids: [sent.gate.id] }) : ok({ ...asked, receipt: undefined });
};
