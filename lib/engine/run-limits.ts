/** Initiator's limits only narrow the version's. */
import { z } from "zod";

/** Absent: the version's. 0 means zero. */
export const runLimitsSchema = z.strictObject({
  max_token_budget: z.number().int().min(0).exactOptional(),
  budget_micro_usd: z.number().int().min(0).exactOptional(),
});
export type RunLimits = z.infer<typeof runLimitsSchema>;

type Budgets = { readonly max_token_budget: number | null; readonly budget_micro_usd: number | null };

const BUDGETS = ["max_token_budget", "budget_micro_usd"] as const satisfies readonly (keyof RunLimits)[];

export const isWithin = (limits: RunLimits, version: Budgets): boolean =>
  BUDGETS.every((budget) => (limits[budget] ?? 0) <= (version[budget] ?? Infinity));

export const narrowBudgets = (version: Budgets, limits: RunLimits): Budgets => {
  const smaller = (budget: keyof RunLimits): number | null => {
    const [own, most] = [limits[budget], version[budget]];
    if (own === undefined) return most;

    return most === null ? own : Math.min(own, most);
  };

  return { max_token_budget: smaller("max_token_budget"), budget_micro_usd: smaller("budget_micro_usd") };
};

export const clampLimits = (limits: RunLimits, version: Budgets): RunLimits =>
  Object.fromEntries(
    BUDGETS.flatMap((budget) => {
      const own = limits[budget];

      return own === undefined ? [] : [[budget, Math.min(own, version[budget] ?? Infinity)]];
    }),
  );
