/** The rules that are not in any graph. Runs name them by digest, so that an approval dies when they change. */
import { CLASSIFICATIONS, type Classification, type Label } from "@/lib/graph/label";
import type { EffectClass } from "@/lib/graph/document";
import { digestOf } from "@/lib/hash";
import type { Membership } from "@/lib/roles";

const POLICY = {
  v: 1,
  /** A write may pass without a person only when nothing untrusted shaped it; what cannot be undone never may. */
  effects: { write: "receipt_unless_trusted", irreversible: "receipt" },
  clearance: { viewer: "internal", builder: "internal", admin: "internal", reviewer: "pii", auditor: "secret" },
  redaction: "v1",
} as const;

export const POLICY_HASH = digestOf("policy", POLICY);

/** The most confidential class that someone may be shown. */
export const clearanceOf = (membership: Membership): Classification =>
  membership.auditor ? POLICY.clearance.auditor : POLICY.clearance[membership.role];

export const mayBeShown = (label: Pick<Label, "confidentiality">, clearance: Classification): boolean =>
  CLASSIFICATIONS.indexOf(label.confidentiality) <= CLASSIFICATIONS.indexOf(clearance);

/** Whether an effect of this class, shaped by data with this label, needs a person's receipt. */
export const needsReceipt = (effect: EffectClass, label: Label, always: boolean): boolean => {
  switch (effect) {
    case "pure":
    case "read":
      return always;
    case "write":
      return always || label.integrity !== "trusted";
    case "irreversible":
      return true;
    default:
      return effect satisfies never;
  }
};
