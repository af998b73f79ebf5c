/** State of the launch form. It outlives the dialog, so that closing it by mistake loses nothing. */
import type { BudgetTexts } from "./budget";
import type { Entered } from "./launch-values";

export type LaunchDraft = {
  /** Null: the newest version. */
  readonly version: string | null;
  readonly entered: Entered;
  /** Visited fields, which show their errors. */
  readonly left: readonly string[];
  /** Whether a start was attempted: every field shows its error. */
  readonly tried: boolean;
  /** Null: what the graph says of itself. */
  readonly goal: string | null;
  readonly constraints: string;
  /** Null: the first that there is. */
  readonly model: string | null;
  readonly budget: BudgetTexts;
};

export const EMPTY_DRAFT: LaunchDraft = {
  version: null,
  entered: {},
  left: [],
  tried: false,
  goal: null,
  constraints: "",
  model: null,
  budget: { tokens: "", usd: "" },
};
