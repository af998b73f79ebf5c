/** What whoever starts a run allows it at most. The version's limits hold besides: a run may narrow them and never widen them. */
import { z } from "zod";

/** Absent: as much as the version allows. 0 means nothing. */
export const runLimitsSchema = z.strictObject({
  max_token_budget: z.number().int().min(0).exactOptional(),
  budget_micro_usd: z.number().int().min(0).exactOptional(),
});
export type RunLimits = z.infer<typeof runLimitsSchema>;

/** Null: no limit. */
type Budgets = { readonly max_token_budget: number | null; readonly budget_micro_usd: number | null };

const BUDGETS = ["max_token_budget", "budget_micro_usd"] as const satisfies readonly (keyof RunLimits)[];

/** Whether a run may be allowed this much by whoever starts it. */
export const isWithin = (limits: RunLimits, version: Budgets): boolean =>
  BUDGETS.every((budget) => (limits[budget] ?? 0) <= (version[budget] ?? Infinity));

/** What a run is held to: the smaller one of each limit. */
export const narrowed = (version: Budgets, limits: RunLimits): Budgets => {
  const smaller = (budget: keyof RunLimits): number | null => {
    const [own, most] = [limits[budget], version[budget]];
    if (own === undefined) return most;

    return most === null ? own : Math.min(own, most);
  };

  return { max_token_budget: smaller("max_token_budget"), budget_micro_usd: smaller("budget_micro_usd") };
};

/** The limits of a run as those of one that executes another version, which may allow less. */
export const clamped = (limits: RunLimits, version: Budgets): RunLimits =>
  Object.fromEntries(
    BUDGETS.flatMap((budget) => {
      const own = limits[budget];

      return own === undefined ? [] : [[budget, Math.min(own, version[budget] ?? Infinity)]];
    }),
  );
