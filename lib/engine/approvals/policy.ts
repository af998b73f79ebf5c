/** Rules outside graphs. Runs name their digest, so changes void approvals. */
import { CLASSIFICATIONS, type Classification, type Label } from "@/lib/graph/label";
import type { EffectClass, GraphNode, PinnedTool } from "@/lib/graph/document";
import { describeTakesFree } from "@/lib/graph/free-text";
import { digestOf } from "@/lib/hash";
import { isAllowed, type Membership, type Role } from "@/lib/roles";

const POLICY = {
  v: 3,
  /** Irreversible effects always need a person. */
  effects: { write: "receipt_unless_trusted", irreversible: "receipt", outward: "receipt_if_untrusted_and_sensitive" },
  /** A model's words are never trusted by themselves. */
  chosen_by_model: "receipt_for_write_unless_agent_trusted_for_tool",
  /** Even ordinary tools could carry internal data outward. */
  outward_free_text: "receipt_if_untrusted_and_not_public",
  sensitive_above: { outward: "internal", outward_free_text: "public" },
  clearance: { viewer: "internal", builder: "internal", admin: "internal", reviewer: "pii", auditor: "secret" },
  redaction: "v1",
} as const;

export const POLICY_HASH = digestOf("policy", POLICY);

/** Returns the recorded clearance at decisions. */
export const getClearance = (membership: Membership): Classification =>
  membership.auditor ? POLICY.clearance.auditor : POLICY.clearance[membership.role];

/** Returns the clearance of unrecorded reads. */
export const getShownTo = (role: Role): Classification => POLICY.clearance[role];

/** Clearance of service accounts, in reads and decisions. */
export const SERVICE_CLEARANCE: Classification = POLICY.clearance.viewer;

/** Returns the clearance at approvals: higher for deciders. */
export const getGateClearance = (membership: Membership): Classification =>
  isAllowed(membership.role, "approval.decide") ? getClearance(membership) : getShownTo(membership.role);

export const canBeShown = (label: Pick<Label, "confidentiality">, clearance: Classification): boolean =>
  CLASSIFICATIONS.indexOf(label.confidentiality) <= CLASSIFICATIONS.indexOf(clearance);

export type Telling = "nothing" | "outward" | "outward_free_text";

/** Returns what this call discloses. */
export const getTelling = (node: GraphNode, tool: PinnedTool): Telling => {
  if (!tool.outward) return "nothing";

  return describeTakesFree(node, tool) ? "outward_free_text" : "outward";
};

/** Untrusted influence plus sensitive data on an outward call could leak it. */
const couldLeak = (label: Label, telling: Telling): boolean =>
  telling !== "nothing" && label.integrity === "untrusted" && !canBeShown(label, POLICY.sensitive_above[telling]);

export type Asks = "by_rule" | "changes" | "every_call";

export type JudgedCall = {
  readonly effect: EffectClass;
  readonly label: Label;
  readonly asks: Asks;
  readonly telling: Telling;
  /** A model that is not trusted for the tool chose the arguments. */
  readonly byModel: boolean;
};

export const needsReceipt = ({ effect, label, asks, telling, byModel }: JudgedCall): boolean => {
  switch (effect) {
    case "pure":
    case "read":
      return asks === "every_call" || couldLeak(label, telling);
    case "write":
      return asks !== "by_rule" || label.integrity !== "trusted" || byModel;
    case "irreversible":
      return true;
    default:
      return effect satisfies never;
  }
};
