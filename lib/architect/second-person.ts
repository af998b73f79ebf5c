/** When publishing needs a second person. */
import { readAuthority, type Authority } from "@/lib/architect/authority";
import { diffAuthority, widens, type AuthorityChange } from "@/lib/architect/authority-diff";
import { EFFECTS } from "@/lib/architect/effects";
import { listGranted } from "@/lib/architect/rights";
import type { GraphNode, PinnedTool, PublishedGraph } from "@/lib/graph/document";
import { listBelow } from "@/lib/graph/problems/children";
import { collectFacts, listTools, type Facts } from "@/lib/graph/problems/facts";
import { asksByItself, findGatesFor } from "@/lib/graph/problems/gates";
import { getToolId } from "@/lib/graph/tool-ref";

/** A call that changes data and that the engine may allow without an approval of this call. */
export type UnattendedEffect = {
  /** The id of the subgraph that the node is in; empty for the graph itself. */
  readonly inside: string;
  readonly node: string;
  readonly tool: string;
};

export type SecondPerson = {
  readonly needed: boolean;
  /** `unattended`: a first version with effects that only its author approves. */
  readonly why: "wider" | "architect" | "unattended" | null;
  readonly unattended: readonly UnattendedEffect[];
};

const rankOf = (effect: GraphNode["effect"]): number => EFFECTS.indexOf(effect);

/** The engine asks about everything irreversible, and about a plain write only when something untrusted shaped it. */
const isPlainWrite = (node: GraphNode, tool: PinnedTool): boolean => Math.max(rankOf(node.effect), rankOf(tool.effect)) === rankOf("write");

/** An undo is a call of its own: neither the effect's approval nor the gate that stands for its node covers it. */
const undoOf = (facts: Facts, node: GraphNode): PinnedTool[] => {
  const { compensation } = node;
  const tool = compensation && facts.tools.get(getToolId(compensation.server, compensation.tool));

  return tool && tool.effect !== "irreversible" && !asksByItself(node) ? [tool] : [];
};

const unattendedIn = (facts: Facts, inside: string): UnattendedEffect[] =>
  facts.graph.nodes.flatMap((node) => {
    const asked = asksByItself(node) || findGatesFor(facts, node.id).length > 0;
    const called = asked || node.kind === "subgraph" ? [] : listTools(facts, node).filter((tool) => isPlainWrite(node, tool));

    return [...called, ...undoOf(facts, node)].map(({ server, tool }) => ({ inside, node: node.id, tool: getToolId(server, tool) }));
  });

/**
 * Every effect of a version, at any depth, that need not wait for a person. Whoever is asked at a gate is never the version's
 * author alone (`own_version`), so what waits, waits for somebody else.
 */
export const findUnattendedEffects = (published: PublishedGraph): readonly UnattendedEffect[] => {
  const versions = listBelow(published);
  const inOne = ({ graph, agents, tools }: Pick<PublishedGraph, "graph" | "agents" | "tools">, inside: string) =>
    unattendedIn(collectFacts(graph, { agents, tools, versions }), inside);

  return [...inOne(published, ""), ...published.subgraphs.flatMap((sub) => inOne(sub, sub.graph.id))];
};

/** Whether something can happen outside: a tool that changes something is called, or outside agents drive it. */
const actsOutside = (authority: Authority): boolean =>
  authority.some(
    ({ subject, facet, measure }) =>
      subject.type === "tool" || facet === "reached" || (facet === "outside_gives" && listGranted(measure).length > 0),
  );

/**
 * Decides by the authority a version has. Over another version it must not be wider. A first version, an import included, is
 * a widening from nothing, unless every effect in it waits for a person other than its author; what an architect drew must
 * not act outside at all.
 */
export const needsSecondPerson = (
  published: PublishedGraph,
  base: PublishedGraph | null,
  byArchitect: boolean,
): SecondPerson & { readonly changes: readonly AuthorityChange[] } => {
  const after = readAuthority(published);
  const changes = diffAuthority(base && readAuthority(base), after);
  const unattended = base ? [] : findUnattendedEffects(published);
  const why = base
    ? widens(changes)
      ? ("wider" as const)
      : null
    : byArchitect && actsOutside(after)
      ? ("architect" as const)
      : unattended.length > 0
        ? ("unattended" as const)
        : null;

  return { needed: why !== null, why, unattended, changes };
};
