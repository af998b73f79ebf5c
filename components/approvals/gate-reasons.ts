import type { GateReason } from "@/lib/engine/event";

export const GATE_REASON_TEXT = {
  approval_node: "The graph requires approval here",
  protected_key: "Protected memory would change",
  effect: "This effect always needs approval",
  tainted_effect: "Untrusted data shaped this effect",
  tainted_route: "Untrusted data would choose the route",
  unclear_effect: "It is unknown whether the effect happened",
  undo: "Rolling back is itself a side effect",
  requested: "An outside agent requests approval",
  review: "Reviewers are asked for a verdict",
  tool_input: "A tool asks for input",
  budget: "The run has reached its budget",
} as const satisfies Record<GateReason, string>;
