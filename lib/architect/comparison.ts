import { needsSecondPerson, type SecondPerson } from "@/lib/architect/second-person";
import type { AuthorityChange } from "@/lib/architect/authority-diff";
import { diffGraphs, markChanges, type ChangeMark } from "@/lib/graph/diff";
import type { PublishedGraph } from "@/lib/graph/document";
import { getToolId } from "@/lib/graph/tool-ref";

export const PARTS = ["setting", "node", "edge", "memory", "agent", "tool"] as const;

export type ChangedPart = { readonly part: (typeof PARTS)[number]; readonly id: string; readonly mark: ChangeMark };

export type Comparison = {
  /** Null: publishing takes none. */
  readonly secondPerson: SecondPerson["why"];
  readonly unattended: SecondPerson["unattended"];
  readonly changes: readonly AuthorityChange[];
  readonly parts: readonly ChangedPart[];
};

const listParts = (before: PublishedGraph | null, after: PublishedGraph): readonly ChangedPart[] => {
  const { settings, nodes, edges, memory } = diffGraphs(before?.graph ?? null, after.graph);
  const tools = (published: PublishedGraph | null) =>
    (published?.tools ?? []).map((tool) => ({ ...tool, id: getToolId(tool.server, tool.tool) }));
  const marked = {
    setting: new Map(settings.map((name) => [name, "changed"] as const)),
    node: nodes,
    edge: edges,
    memory,
    agent: markChanges(before?.agents ?? [], after.agents),
    tool: markChanges(tools(before), tools(after)),
  } satisfies Record<ChangedPart["part"], ReadonlyMap<string, ChangeMark>>;

  return PARTS.flatMap((part) => [...marked[part]].map(([id, mark]) => ({ part, id, mark })));
};

/** @param before null: never published */
export const comparePublished = (before: PublishedGraph | null, after: PublishedGraph, byArchitect = false): Comparison => {
  const { why, unattended, changes } = needsSecondPerson(after, before, byArchitect);

  return { secondPerson: why, unattended, changes, parts: listParts(before, after) };
};
