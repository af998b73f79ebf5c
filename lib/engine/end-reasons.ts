import { REFUSALS } from "@/lib/refusal";

const TEXTS = {
  cancelled: "A person cancelled the run.",
  rejected: "A reviewer rejected the request, and the graph has no path for that.",
  expired: "The request expired undecided, and the graph has no path for that.",
  approval_rejected: "A reviewer rejected the route that the run would have taken.",
  approval_expired: "The request expired undecided.",
  idle_limit: "The outside agent took no action in time.",
  route_failed: "A condition could not be evaluated, so no edge was taken.",
  route_missing: "No condition of the outgoing edges was true.",
  wait_timeout: "No program answered the wait in time.",
  wait_too_long: "The wait would last longer than 366 days.",
  value_shredded: "Values that the run needs were shredded.",
} as const;

/** Every other end before completion is an error. */
const CHOSEN: readonly string[] = ["cancelled", "rejected", "value_shredded"];

/** Returns a sentence; null for a node's failure code. */
export const describeEndReason = (code: string): string | null => {
  if (Object.hasOwn(TEXTS, code)) return TEXTS[code as keyof typeof TEXTS];

  return Object.hasOwn(REFUSALS, code) ? REFUSALS[code as keyof typeof REFUSALS].message : null;
};

export const isErrorReason = (code: string): boolean => !CHOSEN.includes(code);
