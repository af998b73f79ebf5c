/** The rules that are not in any graph. Runs name them by digest, so that an approval dies when they change. */
import { CLASSIFICATIONS, type Classification, type Label } from "@/lib/graph/label";
import type { EffectClass } from "@/lib/graph/document";
import { digestOf } from "@/lib/hash";
import { may, type Membership, type Role } from "@/lib/roles";

const POLICY = {
  v: 1,
  /** A write may pass without a person only when nothing untrusted shaped it; what cannot be undone never may. */
  effects: { write: "receipt_unless_trusted", irreversible: "receipt", outward: "receipt_if_untrusted_and_sensitive" },
  sensitive_above: "internal",
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

/** Whoever asks has seen what nobody vouches for, and could tell the world what only we should know. */
const couldLeak = (label: Label, outward: boolean): boolean =>
  outward && label.integrity === "untrusted" && !mayBeShown(label, POLICY.sensitive_above);

/**
 * Whether an effect of this class, asked for with everything in `label` in sight, needs a person's receipt.
 * @param outward whether what the tool is told leaves what we control
 */
export const needsReceipt = (effect: EffectClass, label: Label, always: boolean, outward: boolean): boolean => {
  switch (effect) {
    case "pure":
    case "read":
      return always || couldLeak(label, outward);
    case "write":
      return always || label.integrity !== "trusted";
    case "irreversible":
      return true;
    default:
      return effect satisfies never;
  }
};
