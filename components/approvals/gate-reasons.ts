import type { GateReason } from "@/lib/engine/event";

/** Why a person is asked. */
export const GATE_REASON_TEXT = {
  approval_node: "The graph asks for approval here",
  protected_key: "Protected memory would change",
  effect: "This effect always needs approval",
  tainted_effect: "Untrusted data shaped this effect",
  tainted_route: "Untrusted data would choose the way",
  unclear_effect: "It is not known whether the effect happened",
  undo: "What was done would be undone, which is an effect too",
  requested: "An outside agent asks to be allowed this",
  review: "Reviewers are asked for their verdict",
  tool_input: "A tool asks a person for input",
} as const satisfies Record<GateReason, string>;
