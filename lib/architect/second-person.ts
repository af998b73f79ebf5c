import { readAuthority, type Authority } from "@/lib/architect/authority";
import { diffAuthority, widens, type AuthorityChange } from "@/lib/architect/authority-diff";
import { EFFECTS } from "@/lib/architect/effects";
import { listGranted } from "@/lib/architect/rights";
import type { GraphNode, PinnedTool, PublishedGraph } from "@/lib/graph/document";
import { runsGraph } from "@/lib/graph/kind-of";
import { listBelow } from "@/lib/graph/facts/children";
import { collectFacts, listTools, type Facts } from "@/lib/graph/facts/facts";
import { asksByItself, asksForCall } from "@/lib/graph/facts/gates";
import { getToolId } from "@/lib/graph/tool-ref";

export type UnattendedEffect = {
  /** Empty: the graph itself. */
  readonly inside: string;
  readonly node: string;
  readonly tool: string;
};

export type SecondPerson = {
  readonly needed: boolean;
  /** `unattended`: only the author approves its effects. */
  readonly why: "wider" | "architect" | "unattended" | null;
  readonly unattended: readonly UnattendedEffect[];
};

const rankOf = (effect: GraphNode["effect"]): number => EFFECTS.indexOf(effect);

/** Irreversible calls always ask; plain writes only if untrusted data or a model shaped them. */
const isPlainWrite = (node: GraphNode, tool: PinnedTool): boolean => Math.max(rankOf(node.effect), rankOf(tool.effect)) === rankOf("write");

/** The effect's approvals do not cover its undo. */
const undoOf = (facts: Facts, node: GraphNode): PinnedTool[] => {
  const { compensation } = node;
  const tool = compensation && facts.tools.get(getToolId(compensation.server, compensation.tool));

  return tool && tool.effect !== "irreversible" && !asksByItself(node) ? [tool] : [];
};

const unattendedIn = (facts: Facts, inside: string): UnattendedEffect[] =>
  facts.graph.nodes.flatMap((node) => {
    const isUnasked = (tool: PinnedTool): boolean => isPlainWrite(node, tool) && !asksForCall(facts, node, tool);
    const called = runsGraph(node) ? [] : listTools(facts, node).filter(isUnasked);

    return [...called, ...undoOf(facts, node)].map(({ server, tool }) => ({ inside, node: node.id, tool: getToolId(server, tool) }));
  });

/** Lists unapproved effects at any depth. Authors never approve alone (`own_version`). */
export const findUnattendedEffects = (published: PublishedGraph): readonly UnattendedEffect[] => {
  const versions = listBelow(published);
  const inOne = ({ graph, agents, tools }: Pick<PublishedGraph, "graph" | "agents" | "tools">, inside: string) =>
    unattendedIn(collectFacts(graph, { agents, tools, versions }), inside);

  return [...inOne(published, ""), ...published.subgraphs.flatMap((sub) => inOne(sub, sub.graph.id))];
};

const actsOutside = (authority: Authority): boolean =>
  authority.some(
    ({ subject, facet, measure }) =>
      subject.type === "tool" || facet === "reached" || (facet === "outside_gives" && listGranted(measure).length > 0),
  );

/** Decides by authority. First versions, imports included, count as wider unless another person approves every effect; an architect's, if it acts outside. */
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
