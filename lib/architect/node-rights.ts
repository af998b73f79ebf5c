import { measureReach } from "@/lib/architect/decisions";
import { asksPerson, callsTool, getKind, isIdle } from "@/lib/graph/kind-of";
import { shortenText } from "@/lib/short-text";
import type { EffectClass, GraphNode, PinnedTool } from "@/lib/graph/document";
import { EFFECTS, pickWorse } from "@/lib/architect/effects";
import type { Facet, Measure } from "@/lib/architect/rights";
import { getAccess } from "@/lib/graph/facts/access";
import { listActingAgentIds } from "@/lib/graph/facts/acting";
import { listSubgraphTools } from "@/lib/graph/facts/children";
import { changesSomething, listTools, type Facts } from "@/lib/graph/facts/facts";
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

const ofKind = (node: GraphNode): Facets => {
  const powers = getKind(node).powers(node.config);
  const each = <T>(values: Partial<Record<string, T>> = {}, measure: (value: T) => Measure): Facets =>
    Object.fromEntries(Object.entries(values).map(([facet, value]) => [facet, measure(value as T)]));

  return {
    ...each(powers.may, may),
    ...each(powers.most, most),
    ...each(powers.least, (value) => ({ type: "least", value })),
    ...each(powers.must, (items) => ({ type: "must", items: items.toSorted() })),
    ...each(powers.is, is),
    ...(callsTool(node) ? { tells: may(told(getToolId(node.config.server, node.config.tool), node.config.arguments)) } : {}),
  };
};

/** Least first. */
const APPROVALS: readonly GraphNode["approval"][] = ["by_rule", "always", "every_call"];

const effectOf = (facts: Facts, node: GraphNode): EffectClass =>
  [...listTools(facts, node), ...listSubgraphTools(facts, node)].reduce<EffectClass>(
    (worst, { effect }) => pickWorse(worst, effect),
    node.effect,
  );

/** Returns whether a node or subgraph has outside effects. */
export const changesOutside = (facts: Facts, node: GraphNode): boolean => changesSomething(effectOf(facts, node));

const calledTools = (facts: Facts, node: GraphNode): string[] => {
  const undo = node.compensation ? facts.tools.get(getToolId(node.compensation.server, node.compensation.tool)) : undefined;

  return [...listTools(facts, node).map(toolText), ...(undo ? [`${toolText(undo)}, to undo`] : [])];
};

const laterApprovers = (node: GraphNode): string => {
  const { to, group, after_ms: afterMs = 0 } = (asksPerson(node) ? node.config.escalation : undefined) ?? {};

  return to === "group" && group !== undefined ? `, ${group} too after ${afterMs / 1_000} s` : "";
};

/** Returns a node's facets except preceding approvals. */
export const nodeFacets = (facts: Facts, node: GraphNode): Facets => {
  const access = getAccess(node, facts.agents);
  const own = listActingAgentIds(node).length > 0 && getKind(node).rights.reads !== "both";
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
    asks: { type: "least", value: APPROVALS.indexOf(node.approval) },
    // One item for all, so that naming others counts as wider.
    approvers: {
      type: "must",
      items: node.approvers
        ? [`only ${[...node.approvers.groups, ...node.approvers.people].toSorted().join(", ")} may approve${laterApprovers(node)}`]
        : [],
    },
    ...(changesOutside(facts, node) ? { reached: measureReach(facts, node) } : {}),
  };
};
