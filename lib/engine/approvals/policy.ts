/** Rules outside of graphs. Runs name them by digest, so a change voids approvals. */
import { CLASSIFICATIONS, type Classification, type Label } from "@/lib/graph/label";
import type { EffectClass, GraphNode, PinnedTool } from "@/lib/graph/document";
import { describeTakesFree } from "@/lib/graph/free-text";
import { digestOf } from "@/lib/hash";
import { isAllowed, type Membership, type Role } from "@/lib/roles";

const POLICY = {
  v: 2,
  /** Writes pass without a person only on trusted influences; irreversible effects never do. */
  effects: { write: "receipt_unless_trusted", irreversible: "receipt", outward: "receipt_if_untrusted_and_sensitive" },
  /** Free text to outward tools may carry internal data even if the tool is ordinary. */
  outward_free_text: "receipt_if_untrusted_and_not_public",
  sensitive_above: { outward: "internal", outward_free_text: "public" },
  clearance: { viewer: "internal", builder: "internal", admin: "internal", reviewer: "pii", auditor: "secret" },
  redaction: "v1",
} as const;

export const POLICY_HASH = digestOf("policy", POLICY);

/** Returns the clearance at decisions, which are recorded. */
export const getClearance = (membership: Membership): Classification =>
  membership.auditor ? POLICY.clearance.auditor : POLICY.clearance[membership.role];

/** Returns the clearance for unrecorded reads. */
export const getShownTo = (role: Role): Classification => POLICY.clearance[role];

/** Returns the clearance at an approval: higher than elsewhere for deciders. */
export const getGateClearance = (membership: Membership): Classification =>
  isAllowed(membership.role, "approval.decide") ? getClearance(membership) : getShownTo(membership.role);

export const canBeShown = (label: Pick<Label, "confidentiality">, clearance: Classification): boolean =>
  CLASSIFICATIONS.indexOf(label.confidentiality) <= CLASSIFICATIONS.indexOf(clearance);

/** Disclosure by a call: nothing, choices and numbers, or free text. */
export type Telling = "nothing" | "outward" | "outward_free_text";

/** Returns what this node's call of the tool discloses. */
export const getTelling = (node: GraphNode, tool: PinnedTool): Telling => {
  if (!tool.outward) return "nothing";

  return describeTakesFree(node, tool) ? "outward_free_text" : "outward";
};

/** Untrusted influence plus sensitive data on an outward call could leak it. */
const couldLeak = (label: Label, telling: Telling): boolean =>
  telling !== "nothing" && label.integrity === "untrusted" && !canBeShown(label, POLICY.sensitive_above[telling]);

/** Returns whether an effect of this class needs a receipt, given the join of all in sight. */
export const needsReceipt = (effect: EffectClass, label: Label, always: boolean, telling: Telling): boolean => {
  switch (effect) {
    case "pure":
    case "read":
      return always || couldLeak(label, telling);
    case "write":
      return always || label.integrity !== "trusted";
    case "irreversible":
      return true;
    default:
      return effect satisfies never;
  }
};
