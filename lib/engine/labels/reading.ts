/** Read permission for values; every output of a ledger uses this rule. */
import type { Classification, Label } from "@/lib/graph/label";
import { canBeShown } from "@/lib/engine/approvals/policy";

/** Position of a value in a ledger: record and index of the write. */
export type CellPlace = { readonly seq: number; readonly index: number };

export const placeKey = ({ seq, index }: CellPlace): string => `${seq}.${index}`;

/** Cells sealed by open review cases, by `placeKey`; computed by `sealedBy`. */
export type Sealed = ReadonlySet<string>;

export const NOTHING_SEALED: Sealed = new Set();

export type Reader = {
  /** Highest class the reader may see. */
  readonly clearance: Classification;
  readonly sealed: Sealed;
};

/** Reason for hiding: class above clearance, or an open review case. */
export type Withheld = "clearance" | "review";

type Value = {
  /** Join over the value's cells; null: it does not parse. */
  readonly label: Pick<Label, "confidentiality"> | null;
  readonly from: readonly CellPlace[];
};

/** Decides whether a value may be read in clear. @returns null: it may */
export const findWithheld = ({ clearance, sealed }: Reader, { label, from }: Value): Withheld | null => {
  if (label === null || !canBeShown(label, clearance)) return "clearance";

  return from.some((place) => sealed.has(placeKey(place))) ? "review" : null;
};
