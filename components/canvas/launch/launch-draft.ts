/** Launch form state, kept when the dialog closes. */
import type { BudgetTexts } from "./budget";
import type { Entered } from "@/components/schema-form/entered-values";

export type LaunchDraft = {
  /** Null: newest. */
  readonly version: string | null;
  readonly entered: Entered;
  /** Visited fields show errors. */
  readonly left: readonly string[];
  /** All fields show errors. */
  readonly tried: boolean;
  readonly goal: string | null;
  readonly constraints: string;
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
