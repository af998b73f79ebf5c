import { z } from "zod";
import type { RefusalCode } from "@/lib/refusal";

export const DAY_MS = 86_400_000;

/** Micro-USD; `[least, most]`. */
export const TOKEN_LIMIT_BOUNDS = {
  runs: [1, 10_000],
  sessions: [1, 10_000],
  micro_usd: [10_000, 10_000_000_000],
} as const;

const within = ([least, most]: readonly [number, number]) => z.number().int().min(least).max(most);

export const tokenLimitsSchema = z.strictObject({
  runs: within(TOKEN_LIMIT_BOUNDS.runs),
  sessions: within(TOKEN_LIMIT_BOUNDS.sessions),
  micro_usd: within(TOKEN_LIMIT_BOUNDS.micro_usd),
});
export type TokenLimits = z.infer<typeof tokenLimitsSchema>;

export const DEFAULT_TOKEN_LIMITS: TokenLimits = { runs: 200, sessions: 200, micro_usd: 50_000_000 };

export const TOKEN_LIMIT_CODES = {
  runs: "token_run_limit",
  sessions: "token_session_limit",
  micro_usd: "token_cost_limit",
} as const satisfies Record<keyof TokenLimits, RefusalCode>;
export type TokenLimitCode = (typeof TOKEN_LIMIT_CODES)[keyof TokenLimits];

/** Until 24 hours after `atMs` (ms since 1970). */
export type Counted = { readonly atMs: number; readonly amount: number };

/** Counts an active run's whole cost, so never undercounts. */
export type TokenUse = Readonly<Record<keyof TokenLimits, readonly Counted[]>>;

export const NO_USE: TokenUse = { runs: [], sessions: [], micro_usd: [] };

const sum = (counted: readonly Counted[]): number => counted.reduce((total, { amount }) => total + amount, 0);

export const toUsed = (use: TokenUse): TokenLimits => ({
  runs: sum(use.runs),
  sessions: sum(use.sessions),
  micro_usd: sum(use.micro_usd),
});

/** Returns when usage falls below the limit (ms since 1970). */
export const findRoomAt = (counted: readonly Counted[], limit: number): number | null => {
  let left = sum(counted);
  for (const { atMs, amount } of counted.toSorted((a, b) => a.atMs - b.atMs)) {
    left -= amount;
    if (left < limit) return atMs + DAY_MS;
  }

  return null;
};
