import { z } from "zod";
import type { JsonObject } from "@/lib/json";
import { ok, type Result } from "@/lib/result";

const KINDS = ["travel", "equipment", "other"] as const;

export const expenseSchema = z.strictObject({
  what: z.string().min(1).max(200),
  amount_cents: z.number().int().min(1).max(10_000_000),
});
export type Expense = z.infer<typeof expenseSchema>;

/** Not strict: forms cannot express that. */
export const bookingSchema = z.object({
  cost_centre: z.string().min(4).max(10).describe("Four to ten characters, as on the sign of your department."),
  kind: z.enum(KINDS),
  note: z.string().max(500).exactOptional(),
});
export type Booking = z.infer<typeof bookingSchema>;

export const expensesSchema = z.strictObject({
  filed: z.record(
    z.string(),
    z.strictObject({ ...expenseSchema.shape, cost_centre: z.string().nullable(), kind: z.enum(KINDS).nullable() }),
  ),
});
export type Expenses = z.infer<typeof expensesSchema>;

export const NEW_EXPENSES: Expenses = { filed: {} };

export const EXPENSES_FAULTS = {
  declined: "Nobody said where this belongs, so nothing was filed.",
  state_unknown: "This answer belongs to another call.",
  key_missing: "A change needs an idempotency key.",
  key_reused: "This idempotency key was used for something else.",
} as const;

/** Larger amounts need a person's category. */
const FREE_CENTS = 10_000;

export const needsBooking = ({ amount_cents: cents }: Expense): boolean => cents > FREE_CENTS;

type Filed = Result<{ readonly data: Expenses; readonly result: JsonObject }, never>;

/** @param booking null: needs none */
export const file = ({ filed }: Expenses, id: string, expense: Expense, booking: Booking | null): Filed => {
  const { cost_centre: centre, kind } = booking ?? { cost_centre: null, kind: null };

  return ok({
    data: { filed: { ...filed, [id]: { ...expense, cost_centre: centre, kind } } },
    result: { expense_id: `exp_${id}`, amount_cents: expense.amount_cents, cost_centre: centre },
  });
};
