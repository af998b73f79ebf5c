import type { EffectClass, PinnedTool } from "@/lib/graph/document";
import { asksPerson, callsTool, runsGraph } from "@/lib/graph/kind-of";
import { listSubgraphCalls } from "@/lib/graph/facts/children";
import { changesSomething, type Facts } from "@/lib/graph/facts/facts";
import { asksByItself, asksForCall, findGatesBefore, findGatesFor, isModelCalled } from "@/lib/graph/facts/gates";
import { getToolId } from "@/lib/graph/tool-ref";
import type { Level, Mark, Spread } from "./spread";
import { listPromotionsOf, type Model, type Site } from "./model";

export type Sink =
  /** `outward`: its arguments leave our control. */
  | { readonly kind: "call"; readonly node: string; readonly tool: string; readonly effect: EffectClass; readonly outward: boolean }
  | { readonly kind: "key"; readonly node: string; readonly key: string }
  /** `edge` absent: a model's choice, or a map's list length. */
  | { readonly kind: "route"; readonly node: string; readonly edge?: string };

/** Returns an id that survives other edits. */
export const getSinkId = (sink: Sink): string => {
  switch (sink.kind) {
    case "call":
      return `call:${sink.node}:${sink.tool}`;
    case "key":
      return `key:${sink.node}:${sink.key}`;
    case "route":
      return `route:${sink.node}:${sink.edge ?? ""}`;
    default:
      return sink satisfies never;
  }
};

/** Returns an id, unique since a sink has one flow per kind. */
export const getFlowId = ({ kind, sink }: { readonly kind: string; readonly sink: Sink }): string => `${kind}:${getSinkId(sink)}`;

/** `gatedHere`: the sink itself requires approval. */
export type Hit<S> = { readonly sink: Sink; readonly mark: Mark<S>; readonly level: Level; readonly gatedHere: boolean };

const hitAt = <S>(sink: Sink, mark: Mark<S>, gatedHere: boolean): Hit<S> => ({ sink, mark, level: mark.level, gatedHere });

/** An agent's earlier results shape its later calls. */
const calls = <S>(facts: Facts, site: Site, at: number, reached: Spread<S>): Hit<S>[] => {
  const mark = reached.markAt(at, "input");
  if (!mark) return [];
  const asked = asksByItself(site.node) || findGatesFor(facts, site.node.id).length > 0;
  const isAsked = (tool: PinnedTool): boolean => asksForCall(facts, site.node, tool);
  const sinkOf = (tool: PinnedTool): Sink => ({
    kind: "call",
    node: site.node.id,
    tool: getToolId(tool.server, tool.tool),
    effect: tool.effect,
    outward: tool.outward,
  });
  if (!runsGraph(site.node)) return site.tools.map((tool) => hitAt(sinkOf(tool), mark, isAsked(tool)));

  return listSubgraphCalls(facts, site.node).map((call) => hitAt(sinkOf(call.tool), mark, asked || call.gated));
};

/** Best level of untrusted data. */
export const REVIEWED: Level = 2;

const keyOf = (path: string): string => path.split(".")[0] ?? "";

const keys = <S>(facts: Facts, model: Model, site: Site, at: number, reached: Spread<S>): Hit<S>[] => {
  const hit = (key: string, mark: Mark<S> | undefined, gatedHere: boolean): Hit<S>[] => {
    const declared = facts.keys.get(key);
    const guarded = declared && (declared.protected || declared.min_integrity !== "untrusted");

    return guarded && mark ? [hitAt({ kind: "key", node: site.node.id, key }, mark, gatedHere)] : [];
  };
  if (!site.works) {
    return listPromotionsOf(site.node).flatMap(({ from, to }) => {
      const mark = model.columnsOf(from).flatMap((column) => reached.markAt(at, column) ?? [])[0];

      // A person saw the promoted value, or rules and verdicts passed it.
      return hit(keyOf(to), mark, asksPerson(site.node)).map((found) => ({ ...found, level: REVIEWED }));
    });
  }
  const written = facts.access.get(site.node.id)?.writes ?? [];
  const named = written.includes("*") ? [...facts.keys.keys()] : [...new Set(written.map(keyOf))];

  return named.flatMap((key) => hit(key, reached.markAt(at, "output"), !callsTool(site.node) && asksByItself(site.node)));
};

const worst = <S>(marks: readonly (Mark<S> | undefined)[]): Mark<S> | undefined =>
  marks.filter((mark) => mark !== undefined).toSorted((a, b) => a.level - b.level)[0];

const routes = <S>(site: Site, at: number, reached: Spread<S>): Hit<S>[] => {
  const node = site.node.id;
  const said = reached.markAt(at, "output");
  const byEdge = site.decisions.flatMap(({ edge, columns }): Hit<S>[] => {
    const written = site.writes.some((column) => columns.includes(column));
    const mark = worst([...columns.map((column) => reached.markAt(at, column)), written ? said : undefined]);

    return mark ? [hitAt({ kind: "route", node, edge }, mark, false)] : [];
  });

  const listed = worst(site.items.map((column) => reached.markAt(at, column)));
  const chosen = site.chooses ? said : listed;

  return chosen ? [...byEdge, hitAt({ kind: "route", node }, chosen, false)] : byEdge;
};

/** Finds reached sinks that matter. */
export const findHits = <S>(facts: Facts, model: Model, reached: Spread<S>): Hit<S>[] =>
  model.sites.flatMap((site, at) => [
    ...calls(facts, site, at, reached),
    ...keys(facts, model, site, at, reached),
    ...routes(site, at, reached),
  ]);

/** Returns whether passing takes a person. */
export const isPassedByPeople = ({ node }: Site): boolean => asksPerson(node) || (callsTool(node) && asksByItself(node));

/** Returns whether the engine asks about a model's tainted change, trusted agents included. */
export const isAskedIfUntrusted = (facts: Facts, sink: Sink): boolean => {
  const node = sink.kind === "call" && changesSomething(sink.effect) ? facts.nodes.get(sink.node) : undefined;

  return node !== undefined && isModelCalled(node);
};

/** Finds gates on every path to the sink, and on this one. */
export const findGates = <S>(facts: Facts, model: Model, way: readonly Mark<S>[], sink: Sink): string[] => {
  const passed = new Set<string>();
  for (const { at } of way) {
    const site = model.sites[at];
    if (site && site.node.id !== sink.node && isPassedByPeople(site)) passed.add(site.node.id);
  }
  const here = facts.nodes.get(sink.node);
  const own = here && (asksByItself(here) || isAskedIfUntrusted(facts, sink)) ? [sink.node] : [];
  const named = sink.kind === "call" ? findGatesFor(facts, sink.node) : [];

  return [...new Set([...[...findGatesBefore(facts, sink.node), ...named].map((gate) => gate.id), ...passed, ...own])];
};
