/** Who may read a value. Every way out of a ledger asks this one rule. */
import type { Classification, Label } from "@/lib/graph/label";
import { mayBeShown } from "@/lib/engine/approvals/policy";

/** Where a value stands in a ledger: which record wrote it, and as which of its writes. */
export type CellPlace = { readonly seq: number; readonly index: number };

export const placeKey = ({ seq, index }: CellPlace): string => `${seq}.${index}`;

/** The cells of one ledger, by `placeKey`, that open review cases keep from readers. `sealedBy` computes it. */
export type Sealed = ReadonlySet<string>;

export const NOTHING_SEALED: Sealed = new Set();

export type Reader = {
  /** The most confidential class that they may be shown. */
  readonly clearance: Classification;
  readonly sealed: Sealed;
};

/** Why a value is withheld: its class is above the reader's clearance, or a review case about it is open. */
export type Withheld = "clearance" | "review";

type Value = {
  /** Of all cells that the value comes from; null: it does not parse. */
  readonly label: Pick<Label, "confidentiality"> | null;
  /** The cells that the value comes from. */
  readonly from: readonly CellPlace[];
};

/** Decides whether a value may be read in clear. @returns null: it may */
export const withheldFrom = ({ clearance, sealed }: Reader, { label, from }: Value): Withheld | null => {
  if (label === null || !mayBeShown(label, clearance)) return "clearance";

  return from.some((place) => sealed.has(placeKey(place))) ? "review" : null;
};
