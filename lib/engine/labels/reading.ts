import type { Classification, Label } from "@/lib/graph/label";
import { canBeShown } from "@/lib/engine/approvals/policy";

export type CellPlace = { readonly seq: number; readonly index: number };

export const placeKey = ({ seq, index }: CellPlace): string => `${seq}.${index}`;

export type Sealed = ReadonlySet<string>;

export const NOTHING_SEALED: Sealed = new Set();

export type Reader = {
  readonly clearance: Classification;
  readonly sealed: Sealed;
};

/** Class above clearance, or under review. */
export type Withheld = "clearance" | "review";

type Value = {
  readonly label: Pick<Label, "confidentiality"> | null;
  readonly from: readonly CellPlace[];
};

/** Decides whether to hide a value; null: readable. */
export const findWithheld = ({ clearance, sealed }: Reader, { label, from }: Value): Withheld | null => {
  if (label === null || !canBeShown(label, clearance)) return "clearance";

  return from.some((place) => sealed.has(placeKey(place))) ? "review" : null;
};
