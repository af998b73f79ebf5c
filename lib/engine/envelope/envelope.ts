/** Upper bounds of cost and work; null: none. */
import type { GraphNode, PublishedGraph } from "@/lib/graph/document";
import { runsGraph } from "@/lib/graph/kind-of";
import { listAgentIds } from "@/lib/graph/refs";
import { toCanonicalJson } from "@/lib/json";
import type { ModelRates } from "@/lib/model-price";
import { getLimits, toMicroUsd } from "@/lib/engine/budget";
import { findChild, findPublishedIn } from "@/lib/engine/frame";
import { narrowBudgets, type RunLimits } from "@/lib/engine/run-limits";
import { findActingIn } from "@/lib/engine/task";
import { countVisits } from "./visits";
import { sumWork, NO_WORK, computeWork, type Work } from "./work";

type Bound = number | null;

export type Envelope = Work & {
  readonly tokens: Bound;
  /** Micro-USD. */
  readonly costMicroUsd: Bound;
  /** ms, without waits for people. */
  readonly timeMs: number;
  readonly models: readonly string[];
  /** Without a runner or a price; their calls are refused. */
  readonly refusedModels: readonly { readonly model: string; readonly why: "unknown" | "no_price" }[];
};

/** By model id; null: price unknown. Absent models cannot be called. */
export type RatesByModel = ReadonlyMap<string, ModelRates | null>;

export type Starting = {
  readonly model: string;
  readonly rates: RatesByModel;
  readonly limits: RunLimits;
};

const smallest = (...bounds: readonly Bound[]): Bound => {
  const known = bounds.filter((bound) => bound !== null);

  return known.length === 0 ? null : Math.min(...known);
};

const total = (bounds: readonly Bound[]): Bound => {
  const known = bounds.filter((bound) => bound !== null);

  return known.length < bounds.length ? null : known.reduce((sum, bound) => sum + bound, 0);
};

const speakersOf = (published: PublishedGraph, node: GraphNode): readonly string[] => {
  const acting = findActingIn(published, node, "item.");
  const checks = published.graph.verification?.checks.map(({ agent_id: id }) => id) ?? [];

  return [...listAgentIds(node), ...(acting && acting !== node ? listAgentIds(acting) : []), ...checks];
};

const modelsOf = (published: PublishedGraph, node: GraphNode, model: string): readonly string[] =>
  speakersOf(published, node).flatMap((id) => {
    const agent = published.agents.find((candidate) => candidate.id === id);

    return agent ? [agent.model === "default" ? model : agent.model, ...(agent.fallback === undefined ? [] : [agent.fallback])] : [];
  });

/** Micro-USD per token. Refused calls cost nothing. */
const rateOf = (models: readonly string[], rates: RatesByModel): number =>
  Math.max(
    0,
    ...models.map((model) => {
      const known = rates.get(model);

      return known ? Math.max(known.input_usd_per_million, known.output_usd_per_million) : 0;
    }),
  );

const priceOf = (tokens: Bound, modelCalls: number, rate: number): Bound => {
  if (rate === 0 || modelCalls === 0) return 0;

  return tokens === null ? null : Math.ceil(tokens * rate) + modelCalls;
};

type Part = {
  readonly work: Work;
  readonly tokens: Bound;
  readonly costMicroUsd: Bound;
  readonly models: ReadonlySet<string>;
};
type Known = Map<string, Part>;

const partOfNode = (published: PublishedGraph, node: GraphNode, visits: number, starting: Starting): Part => {
  const { max_tokens: tokens = null } = node.budget ?? {};
  const once = computeWork(published, node);
  const work = tokens === 0 ? { ...once, modelCalls: 0 } : once;
  if (work.modelCalls === 0) return { work, tokens: 0, costMicroUsd: 0, models: new Set() };
  const models = modelsOf(published, node, starting.model);
  const price = priceOf(tokens, visits * work.modelCalls, rateOf(models, starting.rates));

  return { work, tokens, costMicroUsd: smallest(price, toMicroUsd(node.budget?.max_cost_usd)), models: new Set(models) };
};

const partOfGraph = (
  published: PublishedGraph,
  visits: number,
  limits: Pick<ReturnType<typeof getLimits>, "max_token_budget" | "budget_micro_usd">,
  starting: Starting,
  known: Known,
): Part => {
  const { graph } = published;
  const visited = countVisits(graph);
  const parts = graph.nodes.flatMap((node) => {
    const inside = visited.get(node.id) ?? 0;
    if (inside === 0) return [];
    const part = runsGraph(node)
      ? partOfChild(published, node.id, visits * inside, starting, known)
      : partOfNode(published, node, visits * inside, starting);

    return [{ ...part, visits: inside }];
  });
  const models = new Set(parts.flatMap((part) => [...part.models]));
  const most = sumWork(parts, graph.max_iterations);
  const own = limits.max_token_budget;
  const tokens = smallest(own === null ? null : own * visits, total(parts.map((part) => part.tokens)));
  const work = tokens === 0 ? { ...most, modelCalls: 0 } : most;
  const cost = limits.budget_micro_usd;
  const price = priceOf(tokens, work.modelCalls * visits, rateOf([...models], starting.rates));
  const costMicroUsd = smallest(cost === null ? null : cost * visits, total(parts.map((part) => part.costMicroUsd)), price);

  return { work, tokens, costMicroUsd, models };
};

const partOfChild = (published: PublishedGraph, nodeId: string, visits: number, starting: Starting, known: Known): Part => {
  const child = findChild(published, nodeId);
  if (!child) return { work: NO_WORK, tokens: 0, costMicroUsd: 0, models: new Set() };
  const inside = findPublishedIn(published, [nodeId]);
  const key = `${child.version} ${visits} ${toCanonicalJson(inside.graph.verification ?? null)}`;
  const found = known.get(key) ?? partOfGraph(inside, visits, getLimits(inside.graph), starting, known);
  known.set(key, found);

  return found;
};

/** Computes a run's worst case; budgets cover repeats after runner deaths. */
export const computeEnvelope = (published: PublishedGraph, starting: Starting): Envelope => {
  const version = getLimits(published.graph);
  const part = partOfGraph(published, 1, narrowBudgets(version, starting.limits), starting, new Map());

  return {
    ...part.work,
    tokens: part.tokens,
    costMicroUsd: part.costMicroUsd,
    timeMs: version.max_execution_time_ms,
    models: [...part.models],
    refusedModels: [...part.models]
      .filter((model) => !starting.rates.get(model))
      .map((model) => ({ model, why: starting.rates.has(model) ? "no_price" : "unknown" })),
  };
};
