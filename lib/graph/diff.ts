import type { Graph } from "@/lib/graph/document";
import { toCanonicalJson, jsonSchema } from "@/lib/json";

export type ChangeMark = "added" | "changed" | "removed";

export type GraphDiff = {
  readonly nodes: ReadonlyMap<string, ChangeMark>;
  readonly edges: ReadonlyMap<string, ChangeMark>;
  readonly memory: ReadonlyMap<string, ChangeMark>;
  readonly settings: readonly string[];
  /** Includes removed parts in their old places. */
  readonly drawn: Graph;
};

const textOf = (value: unknown): string => toCanonicalJson(jsonSchema.parse(JSON.parse(JSON.stringify(value ?? null))));

type Named = { readonly id: string };

const unplaced = (item: Named): object => ({ ...item, position: null });

export const markChanges = <T extends Named>(before: readonly T[], after: readonly T[]): Map<string, ChangeMark> => {
  const old = new Map(before.map((item) => [item.id, textOf(unplaced(item))]));
  const now = new Set(after.map((item) => item.id));
  const marks = new Map<string, ChangeMark>();
  for (const item of after) {
    const known = old.get(item.id);
    if (known === undefined) marks.set(item.id, "added");
    else if (known !== textOf(unplaced(item))) marks.set(item.id, "changed");
  }
  for (const item of before) if (!now.has(item.id)) marks.set(item.id, "removed");

  return marks;
};

const SETTINGS = [
  "name",
  "description",
  "inputs",
  "start_node",
  "end_nodes",
  "strict_taint",
  "isolate_untrusted",
  "passkey_for",
  "verification",
  "external",
  "triggers",
  "max_iterations",
  "max_execution_time_ms",
  "max_outage_ms",
  "max_token_budget",
  "budget_usd",
  "over_budget",
  "max_thread_tokens",
  "over_thread",
] as const satisfies readonly (keyof Graph)[];

const keyed = (graph: Graph) => graph.memory.map((key) => ({ ...key, id: key.key }));

/** @param before null: everything is new */
export const diffGraphs = (before: Graph | null, after: Graph): GraphDiff => {
  const nodes = markChanges(before?.nodes ?? [], after.nodes);
  const edges = markChanges(before?.edges ?? [], after.edges);
  const gone = (before?.nodes ?? []).filter(({ id }) => nodes.get(id) === "removed");
  const lost = (before?.edges ?? []).filter(({ id }) => edges.get(id) === "removed");

  return {
    nodes,
    edges,
    memory: markChanges(before ? keyed(before) : [], keyed(after)),
    settings: before ? SETTINGS.filter((name) => textOf(before[name]) !== textOf(after[name])) : [],
    drawn: { ...after, nodes: [...after.nodes, ...gone], edges: [...after.edges, ...lost] },
  };
};
