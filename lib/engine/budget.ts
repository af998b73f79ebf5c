/** Budgets: reserve a call's worst case, settle after it. Amounts in micro-USD. */
import type { Graph, GraphNode } from "@/lib/graph/document";
import type { RefusalCode } from "@/lib/refusal";
import type { RunEvent } from "@/lib/engine/event";
import { getNodeKey } from "@/lib/engine/frame";
import { ownEntry, type Frame, type RunState, type Spent } from "@/lib/engine/state";

const MICRO = 1_000_000;

export const toMicroUsd = (usd: number | undefined): number | null => (usd === undefined ? null : Math.floor(usd * MICRO));

export const getLimits = (graph: Graph) => ({
  max_iterations: graph.max_iterations,
  max_execution_time_ms: graph.max_execution_time_ms,
  max_token_budget: graph.max_token_budget ?? null,
  budget_micro_usd: toMicroUsd(graph.budget_usd),
});

export type RunBudgetCode = "token_budget" | "cost_budget";
export const isRunBudgetCode = (code: string): code is RunBudgetCode => code === "token_budget" || code === "cost_budget";
export const isBudgetCode = (code: string): boolean => isRunBudgetCode(code) || code === "node_budget" || code === "subgraph_budget";
export const endStatusOf = (code: string): "failed" | "budget_exceeded" => (isBudgetCode(code) ? "budget_exceeded" : "failed");

export const RUN_SCOPE = "run";

/** `needed`: smallest limit that would suffice. */
export type Shortage = {
  readonly code: RefusalCode;
  readonly scope: string;
  readonly measure: "tokens" | "cost";
  readonly limit: number;
  readonly needed: number;
};

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
    scope: RUN_SCOPE,
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

export const findShortage = (state: RunState, node: GraphNode, estimate: Estimate): Shortage | null => {
  // An estimate below one token is not plausible.
  const more = Math.max(1, estimate.tokens);
  for (const { scope, code, limit, spent, reserved } of budgetsOf(state, node)) {
    const tokens = spent.tokens + reserved.tokens + more;
    if (limit.tokens !== null && tokens > limit.tokens)
      return { scope, code: code.tokens, measure: "tokens", limit: limit.tokens, needed: tokens };
    const cost = spent.costMicroUsd + reserved.costMicroUsd + estimate.cost_micro_usd;
    if (limit.costMicroUsd !== null && cost > limit.costMicroUsd)
      return { scope, code: code.cost, measure: "cost", limit: limit.costMicroUsd, needed: cost };
  }

  return null;
};

type Overspent = Shortage & { readonly code: RunBudgetCode };

/** Calls may use more than they reserved. */
export const findOverspent = ({ start, totalTokens, costMicroUsd }: RunState): Overspent | null => {
  const { max_token_budget: tokens = null, budget_micro_usd: cost = null } = start ?? {};
  if (tokens !== null && totalTokens > tokens)
    return { scope: RUN_SCOPE, code: "token_budget", measure: "tokens", limit: tokens, needed: totalTokens };

  return cost !== null && costMicroUsd > cost
    ? { scope: RUN_SCOPE, code: "cost_budget", measure: "cost", limit: cost, needed: costMicroUsd }
    : null;
};

export const isFrameOverspent = (state: RunState, { limits, entered }: Frame): boolean =>
  state.totalTokens - entered.tokens > (limits.max_token_budget ?? Infinity) ||
  state.costMicroUsd - entered.costMicroUsd > (limits.budget_micro_usd ?? Infinity);

export const isFrameNarrower = (state: RunState, code: RunBudgetCode): boolean =>
  state.frames.some(({ limits, entered }) => {
    const [own, before, whole] =
      code === "token_budget"
        ? [limits.max_token_budget, entered.tokens, state.start?.max_token_budget]
        : [limits.budget_micro_usd, entered.costMicroUsd, state.start?.budget_micro_usd];

    return (own ?? Infinity) + before < (whole ?? Infinity);
  });

const PERCENTS = [50, 75, 90, 100] as const;

/** Highest threshold of the run's own budgets; 0: none. */
export const getPassedPercent = ({ thresholds }: Pick<RunState, "thresholds">): number =>
  thresholds.length === 0
    ? 0
    : (PERCENTS.findLast((percent) => ["tokens", "cost"].some((measure) => thresholds.includes(`${RUN_SCOPE}:${measure}:${percent}`))) ??
      0);

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
