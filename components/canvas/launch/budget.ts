import type { RunLimits } from "@/lib/engine/run-limits";
import { toMicroUsd } from "@/lib/engine/budget";
import { count, formatMoney } from "@/lib/format";
import type { Graph } from "@/lib/graph/document";

export type BudgetTexts = { readonly tokens: string; readonly usd: string };
export type Budget = {
  readonly limits: RunLimits;
  readonly problems: { readonly tokens: string | null; readonly usd: string | null };
};

type Read = { readonly value: number | undefined; readonly problem: string | null };

const TOKENS = /^\d{1,15}$/u;
/** Micro-USD have no fractions. */
const USD = /^\d{1,7}(?:\.\d{1,6})?$/u;

const readTokens = (text: string, most: number | undefined): Read => {
  if (text === "") return { value: undefined, problem: null };
  if (!TOKENS.test(text)) return { value: undefined, problem: "Enter a whole number." };
  const value = Number(text);

  return most !== undefined && value > most
    ? { value: undefined, problem: `At most ${count(most)}, the limit of this version.` }
    : { value, problem: null };
};

const readUsd = (text: string, most: number | undefined): Read => {
  if (text === "") return { value: undefined, problem: null };
  if (!USD.test(text)) return { value: undefined, problem: "Enter an amount like 0.40." };
  const value = toMicroUsd(Number(text)) ?? 0;
  const limit = toMicroUsd(most);

  return limit !== null && value > limit
    ? { value: undefined, problem: `At most ${formatMoney(limit)}, the limit of this version.` }
    : { value, problem: null };
};

/** Invalid text sets no limit and is reported. */
export const toBudget = (graph: Pick<Graph, "max_token_budget" | "budget_usd">, texts: BudgetTexts): Budget => {
  const tokens = readTokens(texts.tokens.trim(), graph.max_token_budget);
  const usd = readUsd(texts.usd.trim(), graph.budget_usd);

  return {
    limits: {
      ...(tokens.value === undefined ? {} : { max_token_budget: tokens.value }),
      ...(usd.value === undefined ? {} : { budget_micro_usd: usd.value }),
    },
    problems: { tokens: tokens.problem, usd: usd.problem },
  };
};
