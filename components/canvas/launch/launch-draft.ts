/** What somebody has typed into the launch form. It outlives the dialog, so that closing it by mistake loses nothing. */
import type { BudgetTexts } from "./budget";
import type { Entered } from "./launch-values";

export type LaunchDraft = {
  /** Null: the newest version. */
  readonly version: string | null;
  readonly entered: Entered;
  /** The places that somebody has left: from then on they say what is wrong. */
  readonly left: readonly string[];
  /** Whether somebody tried to start: from then on every field says what is wrong. */
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
