import { measureReach } from "@/lib/architect/decisions";
import { shortenText } from "@/lib/architect/short-text";
import type { EffectClass, GraphNode, PinnedTool } from "@/lib/graph/document";
import { EFFECTS, pickWorse } from "@/lib/architect/effects";
import type { Facet, Measure } from "@/lib/architect/rights";
import { getAccess } from "@/lib/graph/problems/access";
import { listActingAgentIds } from "@/lib/graph/problems/acting";
import { listSubgraphTools } from "@/lib/graph/problems/children";
import { changesSomething, listTools, type Facts } from "@/lib/graph/problems/facts";
import { listAgentIds } from "@/lib/graph/refs";
import { getToolId } from "@/lib/graph/tool-ref";
import { digestOf } from "@/lib/hash";
import { toCanonicalJson, jsonSchema, type Json } from "@/lib/json";

export type Facets = Partial<Record<Facet, Measure>>;

const may = (items: readonly string[]): Measure => ({ type: "may", items: [...new Set(items)].toSorted() });
const grants = (items: readonly string[]): Measure => ({ type: "grants", items: [...new Set(items)].toSorted() });
const most = (value: number | null | undefined): Measure => ({ type: "most", value: value ?? null });
const plain = (value: unknown): Json => jsonSchema.parse(JSON.parse(JSON.stringify(value)));
const is = (value: unknown): Measure => ({ type: "is", text: digestOf("policy", plain(value)) });

const short = (value: Json): string => shortenText(toCanonicalJson(value));

/** A relabelled tool is another right. */
const toolText = (tool: PinnedTool): string =>
  [getToolId(tool.server, tool.tool), tool.effect, ...(tool.outward ? [`sends data up to ${tool.clearance} outside`] : [])].join(", ");

type Source =
  | { readonly from: string }
  | { readonly value: Json }
  | { readonly item: string }
  | { readonly result: string }
  | { readonly argument: string };

const sourceText = (source: Source): string => {
  if ("from" in source) return source.from;
  if ("value" in source) return short(source.value);
  if ("item" in source) return source.item === "" ? "the item" : `the item's ${source.item}`;
  if ("result" in source) return source.result === "" ? "the result" : `the result's ${source.result}`;

  return `the argument ${source.argument}`;
};

const told = (tool: string, given: Readonly<Record<string, Source>>): string[] =>
  Object.entries(given).map(([name, source]) => `${tool}: ${name} is ${sourceText(source)}`);

const pairs = (map: Readonly<Record<string, string>>): string[] => Object.entries(map).map(([to, from]) => `${to} from ${from}`);

const ofKind = (node: GraphNode): Facets => {
  switch (node.kind) {
    case "agent": {
      const { annealing, swarm, recall } = node.config;

      return {
        ...(annealing ? { rounds: most(annealing.max_iterations), rule: is({ ...annealing, criteria: "" }) } : {}),
        ...(swarm ? { chooses: may(swarm.peers), items: most(swarm.max_handoffs) } : {}),
        ...(recall ? { recalls: may(recall.topics), size: most(recall.limit) } : {}),
      };
    }
    case "tool":
      return { tells: may(told(getToolId(node.config.server, node.config.tool), node.config.arguments)) };
    case "transform":
      return { computes: may(node.config.set.map(({ path, value }) => `${path} as ${shortenText(value)}`)) };
    case "approval":
      return {
        promotes: may(node.config.promote.map(({ from, to }) => `${from} to ${to}`)),
        quorum: { type: "least", value: node.config.quorum },
        shown: { type: "must", items: node.config.review_keys.toSorted() },
        decider: is(node.config.role),
      };
    case "supervisor":
      return { chooses: may(node.config.managed_nodes), rounds: most(node.config.max_iterations) };
    case "map":
      return {
        chooses: may([node.config.worker_node]),
        items: most(node.config.max_items),
        together: most(node.config.max_concurrency),
        rule: is({ items: node.config.items, error_strategy: node.config.error_strategy }),
      };
    case "voting": {
      const { voters, options, strategy, judge_id, quorum, on_tie, tie_value, max_concurrency } = node.config;

      return { together: most(max_concurrency), rule: is({ voters, options, strategy, judge_id, quorum, on_tie, tie_value }) };
    }
    case "evolution": {
      const { fitness, population_size, max_generations, max_concurrency, fitness_threshold, selection, elite_count } = node.config;

      return {
        rounds: most(max_generations),
        items: most(population_size),
        together: most(max_concurrency),
        rule: is({ fitness, fitness_threshold, selection, elite_count }),
      };
    }
    case "verifier":
      return { rule: is({ check: node.config.check, on_fail: node.config.on_fail }) };
    case "synthesizer":
      return { rule: is({ merge: node.config.merge, answer: node.config.answer }) };
    case "reflection":
      return { keeps: may([node.config.topic]), items: most(node.config.max_facts) };
    case "subgraph":
      return {
        tells: may([
          `uses ${node.config.graph_id}`,
          ...pairs(node.config.inputs).map((pair) => `its ${pair}`),
          ...pairs(node.config.outputs),
        ]),
      };
    case "extract":
      return { rule: is({ from: node.config.from, fields: node.config.fields }) };
    case "review": {
      const { target, source, reviewers, quorum, findings, rework } = node.config;

      return {
        verdicts: { type: "least", value: quorum },
        chooses: may(rework ? [rework.node] : []),
        rounds: most(rework?.limit ?? 0),
        rule: is({ target, source, reviewers, findings }),
      };
    }
    case "judge": {
      const { review, from, to, rules } = node.config;

      return { promotes: may([`${from} to ${to}`]), rule: is({ review, rules }) };
    }
    case "router":
      return {};
    default:
      return node satisfies never;
  }
};

const isIdle = (node: GraphNode): boolean => node.kind === "router" || node.kind === "approval";

const effectOf = (facts: Facts, node: GraphNode): EffectClass =>
  [...listTools(facts, node), ...listSubgraphTools(facts, node)].reduce<EffectClass>(
    (worst, { effect }) => pickWorse(worst, effect),
    node.effect,
  );

/** Returns whether a node or its subgraph has outside effects. */
export const changesOutside = (facts: Facts, node: GraphNode): boolean => changesSomething(effectOf(facts, node));

const calledTools = (facts: Facts, node: GraphNode): string[] => {
  const undo = node.compensation ? facts.tools.get(getToolId(node.compensation.server, node.compensation.tool)) : undefined;

  return [...listTools(facts, node).map(toolText), ...(undo ? [`${toolText(undo)}, to undo`] : [])];
};

/** Returns a node's facets except preceding approvals. */
export const nodeFacets = (facts: Facts, node: GraphNode): Facets => {
  const access = getAccess(node, facts.agents);
  const own = listActingAgentIds(node).length > 0 && node.kind !== "map";
  const kind = ofKind(node);
  const undo = node.compensation;
  const tells = kind.tells?.type === "may" ? kind.tells.items : [];
  const agents = listAgentIds(node);

  return {
    ...kind,
    works: may(isIdle(node) ? [] : [node.kind]),
    reads: grants(own ? access.reads : [...node.read_keys, ...access.reads]),
    writes: grants(own ? access.writes : [...node.write_keys, ...access.writes]),
    calls: may(calledTools(facts, node)),
    tells: may([...tells, ...(undo ? told(`undo by ${getToolId(undo.server, undo.tool)}`, undo.arguments) : [])]),
    speaks: may(agents),
    ...(node.action ? { outside_gives: may(["this step", ...node.action.inputs.map(({ name, path }) => `${path} as ${name}`)]) } : {}),
    ...(agents.length > 0 ? { tokens: most(node.budget?.max_tokens), money: most(node.budget?.max_cost_usd) } : {}),
    ...(isIdle(node) ? {} : { attempts: most(node.failure_policy.attempts), attempt_time: most(node.failure_policy.timeout_ms) }),
    // Lower is wider: a node without calls is gated by its declared effect.
    effect: { type: "least", value: EFFECTS.indexOf(node.effect) },
    asks: { type: "least", value: Number(node.approval === "always") },
    ...(changesOutside(facts, node) ? { reached: measureReach(facts, node) } : {}),
  };
};
