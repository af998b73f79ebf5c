/** The rules that are not in any graph. Runs name them by digest, so that an approval dies when they change. */
import { CLASSIFICATIONS, type Classification, type Label } from "@/lib/graph/label";
import type { EffectClass, GraphNode, PinnedTool } from "@/lib/graph/document";
import { takesFreeText } from "@/lib/graph/free-text";
import { digestOf } from "@/lib/hash";
import { may, type Membership, type Role } from "@/lib/roles";

const POLICY = {
  v: 2,
  /** A write may pass without a person only when nothing untrusted shaped it; what cannot be undone never may. */
  effects: { write: "receipt_unless_trusted", irreversible: "receipt", outward: "receipt_if_untrusted_and_sensitive" },
  /** What an outward tool is told in words of the caller's own may be what only we should know, however ordinary it is. */
  outward_free_text: "receipt_if_untrusted_and_not_public",
  sensitive_above: { outward: "internal", outward_free_text: "public" },
  clearance: { viewer: "internal", builder: "internal", admin: "internal", reviewer: "pii", auditor: "secret" },
  redaction: "v1",
} as const;

export const POLICY_HASH = digestOf("policy", POLICY);

/** The most confidential class that someone may be shown where they decide, which is on record. */
export const clearanceOf = (membership: Membership): Classification =>
  membership.auditor ? POLICY.clearance.auditor : POLICY.clearance[membership.role];

/**
 * The most confidential class that somebody is shown without a record of it. What an auditor sees beyond that is opened
 * value by value.
 */
export const shownTo = (role: Role): Classification => POLICY.clearance[role];

/** The most confidential class that someone is shown at an approval: more than elsewhere for those who decide. */
export const clearanceAtGate = (membership: Membership): Classification =>
  may(membership.role, "approval.decide") ? clearanceOf(membership) : shownTo(membership.role);

export const mayBeShown = (label: Pick<Label, "confidentiality">, clearance: Classification): boolean =>
  CLASSIFICATIONS.indexOf(label.confidentiality) <= CLASSIFICATIONS.indexOf(clearance);

/** What of a call leaves what we control: nothing, choices and numbers, or free text of the caller. */
export type Telling = "nothing" | "outward" | "outward_free_text";

/** What a call of the tool by this node tells the outside. */
export const tellingOf = (node: GraphNode, tool: PinnedTool): Telling => {
  if (!tool.outward) return "nothing";

  return takesFreeText(node, tool) ? "outward_free_text" : "outward";
};

/** Whoever asks has seen what nobody vouches for, and could tell the world what only we should know. */
const couldLeak = (label: Label, telling: Telling): boolean =>
  telling !== "nothing" && label.integrity === "untrusted" && !mayBeShown(label, POLICY.sensitive_above[telling]);

/** Whether an effect of this class, asked for with everything in `label` in sight, needs a person's receipt. */
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
