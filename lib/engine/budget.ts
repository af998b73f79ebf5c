/** Budgets: reserve a call's worst case, settle after it. Amounts in micro-USD. */
import type { Graph, GraphNode } from "@/lib/graph/document";
import type { RefusalCode } from "@/lib/refusal";
import type { RunEvent } from "@/lib/engine/event";
import { getNodeKey } from "@/lib/engine/frame";
import { ownEntry, type RunState, type Spent } from "@/lib/engine/state";

const MICRO = 1_000_000;

/** Converts USD to micro-USD, rounded down. */
export const toMicroUsd = (usd: number | undefined): number | null => (usd === undefined ? null : Math.floor(usd * MICRO));

/** Returns the limits of a run or frame. */
export const getLimits = (graph: Graph) => ({
  max_iterations: graph.max_iterations,
  max_execution_time_ms: graph.max_execution_time_ms,
  max_token_budget: graph.max_token_budget ?? null,
  budget_micro_usd: toMicroUsd(graph.budget_usd),
});

type Budget = {
  readonly scope: string;
  readonly code: { readonly tokens: RefusalCode; readonly cost: RefusalCode };
  readonly limit: { readonly tokens: number | null; readonly costMicroUsd: number | null };
  readonly spent: Spent;
  readonly reserved: Spent;
};

/**
 * Sums open reservations.
 * @param key as in `RunState.spent`; null: whole run
 */
export const getReserved = (state: RunState, key: string | null): Spent => {
  const open = Object.values(state.reservations).filter((reservation) => key === null || reservation.key === key);

  return {
    tokens: open.reduce((sum, reservation) => sum + reservation.tokens, 0),
    costMicroUsd: open.reduce((sum, reservation) => sum + reservation.cost_micro_usd, 0),
  };
};

const RUN_CODES = { tokens: "token_budget", cost: "cost_budget" } as const;
const NODE_CODES = { tokens: "node_budget", cost: "node_budget" } as const;

const budgetsOf = (state: RunState, node: GraphNode, key = getNodeKey(state, node.id)): readonly Budget[] => {
  const total: Spent = { tokens: state.totalTokens, costMicroUsd: state.costMicroUsd };
  const run: Budget = {
    scope: "run",
    code: RUN_CODES,
    limit: { tokens: state.start?.max_token_budget ?? null, costMicroUsd: state.start?.budget_micro_usd ?? null },
    spent: total,
    reserved: getReserved(state, null),
  };
  const frames = state.frames.map(({ limits, entered }, index): Budget => ({
    scope: state.frames
      .slice(0, index + 1)
      .map((frame) => frame.node)
      .join("/"),
    code: RUN_CODES,
    limit: { tokens: limits.max_token_budget, costMicroUsd: limits.budget_micro_usd },
    spent: { tokens: total.tokens - entered.tokens, costMicroUsd: total.costMicroUsd - entered.costMicroUsd },
    reserved: getReserved(state, null),
  }));
  const own: Budget = {
    scope: key,
    code: NODE_CODES,
    limit: { tokens: node.budget?.max_tokens ?? null, costMicroUsd: toMicroUsd(node.budget?.max_cost_usd) },
    spent: ownEntry(state.spent, key) ?? { tokens: 0, costMicroUsd: 0 },
    reserved: getReserved(state, key),
  };

  return [run, ...frames, own];
};

export type Estimate = { readonly tokens: number; readonly cost_micro_usd: number };

/** Refuses an estimate above any budget. 0 means zero. */
export const findBudgetRefusal = (state: RunState, node: GraphNode, estimate: Estimate): RefusalCode | null => {
  // An estimate below one token is not plausible.
  const tokens = Math.max(1, estimate.tokens);
  for (const { code, limit, spent, reserved } of budgetsOf(state, node)) {
    if (limit.tokens !== null && spent.tokens + reserved.tokens + tokens > limit.tokens) return code.tokens;
    const cost = spent.costMicroUsd + reserved.costMicroUsd + estimate.cost_micro_usd;
    if (limit.costMicroUsd !== null && cost > limit.costMicroUsd) return code.cost;
  }

  return null;
};

const PERCENTS = [50, 75, 90, 100] as const;

/** Lists newly crossed thresholds. `key`: as in `RunState.spent`. */
export const listPassedThresholds = (state: RunState, node: GraphNode, more: Estimate, key?: string): RunEvent[] =>
  budgetsOf(state, node, key).flatMap(({ scope, limit, spent }) => {
    const measures = [
      { measure: "tokens", limit: limit.tokens, after: spent.tokens + more.tokens },
      { measure: "cost", limit: limit.costMicroUsd, after: spent.costMicroUsd + more.cost_micro_usd },
    ] as const;

    return measures.flatMap((of) =>
      PERCENTS.flatMap((percent): RunEvent[] => {
        const told = state.thresholds.includes(`${scope}:${of.measure}:${percent}`);
        const passed = of.limit !== null && of.limit > 0 && of.after * 100 >= of.limit * percent;

        return passed && !told ? [{ type: "budget_threshold", scope, measure: of.measure, percent }] : [];
      }),
    );
  });
