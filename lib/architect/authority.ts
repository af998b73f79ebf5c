import { findDecisionsBefore } from "@/lib/architect/decisions";
import { guardsOf, strengthOf, type Strength } from "@/lib/architect/guards";
import { changesOutside, nodeFacets, type Facets } from "@/lib/architect/node-rights";
import { subjectKey, type Facet, type Measure, type Right, type Subject, type SubjectType } from "@/lib/architect/rights";
import type { Graph, GraphNode, MemoryKey, PublishedGraph } from "@/lib/graph/document";
import { isIdle } from "@/lib/graph/kind-of";
import { CLASSIFICATIONS, INTEGRITIES } from "@/lib/graph/label";
import { listBelow, listSubgraphCalls } from "@/lib/graph/facts/children";
import { changesSomething, collectFacts, listTools, type Facts } from "@/lib/graph/facts/facts";
import { asksByItself } from "@/lib/graph/facts/gates";
import { getToolId } from "@/lib/graph/tool-ref";
import { describeTrigger } from "@/lib/graph/triggers/describe";
import { digestOf } from "@/lib/hash";
import { isJsonObject, jsonSchema, type Json } from "@/lib/json";

export type Authority = readonly Right[];

type Thing = { readonly type: SubjectType; readonly id: string; readonly name: string; readonly facets: Facets };

const plain = (value: unknown): Json => jsonSchema.parse(JSON.parse(JSON.stringify(value ?? null)));
const form = (value: unknown): string => digestOf("policy", plain(value)).slice(0, 16);
const least = (value: number): Measure => ({ type: "least", value });
const most = (value: number | null | undefined): Measure => ({ type: "most", value: value ?? null });

const launchFields = (graph: Graph): string[] => {
  const properties: Json | undefined = graph.inputs["properties"];

  return isJsonObject(properties) ? Object.entries(properties).map(([name, field]) => `${name} (form ${form(field).slice(0, 8)})`) : [];
};

/** Any change of a trigger is another trigger. */
const triggerItems = ({ triggers = [] }: Graph): string[] =>
  triggers.map((trigger) => `${describeTrigger(trigger)} (form ${form(trigger).slice(0, 8)})`);

const NOTHING_SHOWN = CLASSIFICATIONS.length + 1;

const outsideFacets = ({ external }: Graph): Facets =>
  external
    ? {
        outside_gives: { type: "may", items: ["the whole graph"] },
        outside_reads: { type: "grants", items: external.read_keys.toSorted() },
        outside_shown: least(CLASSIFICATIONS.length - CLASSIFICATIONS.indexOf(external.clearance)),
        outside_waits: most(external.idle_timeout_ms),
      }
    : { outside_gives: { type: "may", items: [] }, outside_reads: { type: "grants", items: [] }, outside_shown: least(NOTHING_SHOWN) };

const verified = ({ verification }: Graph): string[] =>
  (verification?.effects ?? []).flatMap((effect) =>
    (verification?.checks ?? []).map(
      ({ id, agent_id, criteria }) =>
        `${id} by ${agent_id} before a ${effect} (${form(criteria).slice(0, 8)}, else ${verification?.on_failure})`,
    ),
  );

const PASSKEYS: readonly (NonNullable<Graph["passkey_for"]> | "nothing")[] = ["nothing", "irreversible", "high_risk"];

const graphThing = (graph: Graph): Thing => ({
  type: "graph",
  id: "",
  name: "The graph",
  facets: {
    ...outsideFacets(graph),
    launch: { type: "may", items: launchFields(graph).toSorted() },
    ...(graph.triggers ? { triggers: { type: "may", items: triggerItems(graph).toSorted() } } : {}),
    strict_taint: least(Number(graph.strict_taint)),
    isolate_untrusted: least(Number(graph.isolate_untrusted)),
    passkey_for: least(PASSKEYS.indexOf(graph.passkey_for ?? "nothing")),
    verification: { type: "must", items: verified(graph).toSorted() },
    steps: most(graph.max_iterations),
    time: most(graph.max_execution_time_ms),
    tokens: most(graph.max_token_budget),
    money: most(graph.budget_usd),
  },
});

const keyThing = (key: MemoryKey): Thing => ({
  type: "key",
  id: key.key,
  name: key.key,
  facets: {
    protected: least(Number(key.protected)),
    integrity: least(INTEGRITIES.indexOf(key.min_integrity)),
    class: least(CLASSIFICATIONS.indexOf(key.classification)),
    size: most(key.max_bytes),
    depth: most(key.max_depth),
    form: { type: "is", text: form(key.schema) },
  },
});

const peopleFacets = ({ people, quorum, shown, isExact, signed }: Strength): Facets => ({
  gates: least(people),
  quorum: least(quorum),
  shown: { type: "must", items: shown },
  exactly: least(Number(isExact)),
  signed: least(signed),
});

type Site = { readonly tool: string; readonly strength: Strength };

/** A tool is as guarded as its least guarded call. */
const weakest = (sites: readonly Site[]): Facets =>
  peopleFacets({
    people: Math.min(...sites.map(({ strength }) => strength.people)),
    quorum: Math.min(...sites.map(({ strength }) => strength.quorum)),
    shown: sites[0]?.strength.shown.filter((key) => sites.every(({ strength }) => strength.shown.includes(key))) ?? [],
    isExact: sites.every(({ strength }) => strength.isExact),
    signed: Math.min(...sites.map(({ strength }) => strength.signed)),
  });

const sitesOf = (facts: Facts, node: GraphNode, strength: Strength): Site[] => [
  ...listTools(facts, node)
    .filter(({ effect }) => changesSomething(effect))
    .map(({ server, tool }) => ({ tool: getToolId(server, tool), strength })),
  ...listSubgraphCalls(facts, node)
    .filter(({ tool }) => changesSomething(tool.effect))
    .map(({ tool, gated }) => ({
      tool: getToolId(tool.server, tool.tool),
      strength: { ...strength, people: strength.people + Number(gated), quorum: Math.max(strength.quorum, Number(gated)) },
    })),
];

const nodeName = (title: string, id: string): string => (title === "" || title === id ? `“${id}”` : `“${title}” (${id})`);

const thingsOf = (facts: Facts): Thing[] => {
  const { graph } = facts;
  const guards = guardsOf(graph, facts.topology);
  const changing = graph.nodes.filter((node) => changesOutside(facts, node)).map(({ id }) => id);
  const decisions = findDecisionsBefore(facts, changing);
  const sites: Site[] = [];
  const nodes = graph.nodes.map((node): Thing => {
    const strength = strengthOf(node.id, asksByItself(node), guards.get(node.id) ?? []);
    const decided = decisions.get(node.id);
    if (decided) sites.push(...sitesOf(facts, node, strength));

    return {
      type: "node",
      id: node.id,
      name: nodeName(node.title, node.id),
      facets: {
        ...nodeFacets(facts, node),
        ...(isIdle(node) ? {} : peopleFacets(strength)),
        ...(decided ? { decided: { type: "must", items: decided.toSorted() } } : {}),
      },
    };
  });
  const tools = [...Map.groupBy(sites, (site) => site.tool)].map(([tool, at]): Thing => ({
    type: "tool",
    id: tool,
    name: tool,
    facets: weakest(at),
  }));
  const agents = [...facts.agents.values()].map((agent): Thing => ({
    type: "agent",
    id: agent.id,
    name: `The agent ${agent.id}`,
    facets: {
      rounds: most(agent.max_steps),
      attempt_time: most(agent.timeout_ms),
      trusted: {
        type: "may",
        items: agent.tools.flatMap(({ server, tool, trusted }) => (trusted ? [getToolId(server, tool)] : [])).toSorted(),
      },
    },
  }));

  return [graphThing(graph), ...graph.memory.map(keyThing), ...nodes, ...tools, ...agents];
};

const rightsOf = ({ type, id, name, facets }: Thing, inside: string): Right[] => {
  const subject: Subject = { inside, type, id };

  return Object.entries(facets).map(([facet, measure]): Right => ({ subject, name, facet: facet as Facet, measure }));
};

const byText = (a: string, b: string) => (a < b ? -1 : Number(a > b));
const keyOf = (right: Right): string => `${subjectKey(right.subject)}/${right.facet}`;

/** Lists authority by subject and facet, with subgraphs. */
export const readAuthority = (published: PublishedGraph): Authority => {
  const versions = listBelow(published);
  const rights = (parts: Pick<PublishedGraph, "graph" | "agents" | "tools">, inside: string) =>
    thingsOf(collectFacts(parts.graph, { agents: parts.agents, tools: parts.tools, versions })).flatMap((thing) => rightsOf(thing, inside));
  // The first version keeps the plain name, for comparison with new ones.
  const used = new Map<string, number>();
  const inner = published.subgraphs.flatMap((sub) => {
    const seen = used.get(sub.graph.id) ?? 0;
    used.set(sub.graph.id, seen + 1);

    return rights(sub, seen === 0 ? sub.graph.id : `${sub.graph.id}@${sub.version.slice(0, 8)}`);
  });

  return [...rights(published, ""), ...inner].toSorted((a, b) => byText(keyOf(a), keyOf(b)));
};
