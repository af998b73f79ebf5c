/** Launch form state, kept when the dialog closes. */
import type { BudgetTexts } from "./budget";
import type { Entered } from "@/components/schema-form/entered-values";

export type LaunchDraft = {
  /** Null: the last with a version. */
  readonly environment: string | null;
  /** Null: the live one. */
  readonly version: string | null;
  readonly entered: Entered;
  readonly left: readonly string[];
  readonly tried: boolean;
  readonly goal: string | null;
  readonly constraints: string;
  readonly model: string | null;
  readonly budget: BudgetTexts;
};

export const EMPTY_DRAFT: LaunchDraft = {
  environment: null,
  version: null,
  entered: {},
  left: [],
  tried: false,
  goal: null,
  constraints: "",
  model: null,
  budget: { tokens: "", usd: "" },
};
