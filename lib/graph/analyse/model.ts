/** Data-flow model: nodes by number, memory paths by column. */
import { postDominatorsOf } from "@/lib/graph/dominators";
import type { GraphNode, PinnedTool } from "@/lib/graph/document";
import { asksPerson, getKind, isIdle, isInZone, judgesCase, mapsItems, opensCase, promotesOnly, runsGraph } from "@/lib/graph/kind-of";
import { isAtOrBelow, parsePath, type Path } from "@/lib/graph/path";
import { listDeclaredTargets } from "@/lib/graph/refs";
import { listFailureEdges, listRefusalEdges } from "@/lib/graph/topology";
import { listExpressionKeys } from "@/lib/graph/facts/access";
import { isShownHandles } from "@/lib/graph/facts/acting";
import { listSubgraphTools } from "@/lib/graph/facts/children";
import { listTools, type Facts } from "@/lib/graph/facts/facts";

/** Work is nodes x paths; beyond it, only keys are distinct. */
const MOST_PATHS = 256;

/** Column of all data so far, for `run` counters; no memory path has this name. */
export const SO_FAR = "$run";

/** End of the run, where a decision's influence lasts to the end. */
export const END = -1;

export type Site = {
  readonly node: GraphNode;
  readonly next: readonly number[];
  readonly failure: readonly number[];
  /** The engine labels output by all grants, used or not. */
  readonly given: readonly string[];
  /** Reached without approval: by failure, rejection or expiry. */
  readonly refused: readonly number[];
  readonly reads: readonly number[];
  readonly writes: readonly number[];
  /** Columns of the mapped list. */
  readonly items: readonly number[];
  /** Columns of each edge's condition. */
  readonly decisions: readonly { readonly edge: string; readonly columns: readonly number[] }[];
  readonly decides: readonly number[];
  /** A condition reads the node's own writes. */
  readonly writesWhatDecides: boolean;
  /** Has output of its own, unlike approvals, routers and judges. */
  readonly works: boolean;
  /** Sees untrusted values as handles only. */
  readonly isolated: boolean;
  /** Rejected work's targets and influences. */
  readonly sendsBack: { readonly columns: readonly number[]; readonly to: readonly number[] };
  /** Its output chooses the route. */
  readonly chooses: boolean;
  readonly tools: readonly PinnedTool[];
  /** Shares its map's input and answer. */
  readonly worker: number | undefined;
  readonly master: number | undefined;
  /** From column to column. */
  readonly promotes: readonly (readonly [from: number, to: number])[];
  /** All routes of its decision have joined here. */
  readonly until: number;
};

export type Model = {
  readonly sites: readonly Site[];
  readonly numbers: ReadonlyMap<string, number>;
  /** Text of each column. */
  readonly paths: readonly string[];
  readonly columnsOf: (grant: string) => readonly number[];
};

const keyOf = (path: Path): string => path[0] ?? "";

type Decision = { readonly edge: string; readonly reads: readonly string[] };
type Uses = { readonly reads: readonly string[]; readonly writes: readonly string[]; readonly decisions: readonly Decision[] };

const given = (node: GraphNode, reads: readonly string[]): readonly string[] =>
  getKind(node).rights.reads === "declared" && !isInZone(node) && !runsGraph(node) ? [...new Set([...reads, ...node.read_keys])] : reads;

const lookedAt = (condition: string): readonly string[] => [
  ...listExpressionKeys(condition),
  ...(/\brun\b/u.test(condition) ? [SO_FAR] : []),
];

const usesOf = (facts: Facts, node: GraphNode): Uses => {
  const { reads, writes } = facts.access.get(node.id) ?? { reads: [], writes: [] };
  const decisions = (facts.topology.out.get(node.id) ?? []).flatMap((edge) =>
    edge.kind === "normal" && edge.condition !== undefined ? [{ edge: edge.id, reads: lookedAt(edge.condition) }] : [],
  );

  return { reads: given(node, reads), writes, decisions };
};

const declaredPaths = (facts: Facts, grants: Iterable<string>): Path[] => {
  const paths = new Map<string, Path>();
  for (const grant of grants) {
    const named = grant === "*" ? [...facts.keys.keys()].map((key): Path => [key]) : [parsePath(grant)];
    for (const path of named) if (path && facts.keys.has(keyOf(path))) paths.set(path.join("."), path);
  }

  return [...paths.values()];
};

const columnsFor = (facts: Facts, uses: readonly Uses[]): Pick<Model, "paths" | "columnsOf"> => {
  // Paths that no node reads carry nothing.
  const read = new Set(
    declaredPaths(facts, new Set(uses.flatMap((use) => [...use.reads, ...use.decisions.flatMap((one) => one.reads)]))).map(keyOf),
  );
  const fromOutside = facts.given.map((one) => one.path.join("."));
  const written = declaredPaths(facts, new Set([...uses.flatMap((use) => use.writes), ...facts.inputKeys, ...fromOutside])).filter((path) =>
    read.has(keyOf(path)),
  );
  const columns = written.length > MOST_PATHS ? [...new Set(written.map(keyOf))].map((key): Path => [key]) : written;
  if (uses.some((use) => use.decisions.some((one) => one.reads.includes(SO_FAR)))) columns.push([SO_FAR]);
  const byKey = Map.groupBy(
    columns.map((path, column) => ({ path, column })),
    ({ path }) => keyOf(path),
  );
  const known = new Map<string, readonly number[]>([
    ["*", columns.flatMap(([key], column) => (key === SO_FAR ? [] : [column]))],
    [SO_FAR, columns.flatMap(([key], column) => (key === SO_FAR ? [column] : []))],
  ]);
  const find = (grant: string): readonly number[] => {
    const path = parsePath(grant) ?? [];

    return (byKey.get(keyOf(path)) ?? []).flatMap((candidate) =>
      isAtOrBelow(path, candidate.path) || isAtOrBelow(candidate.path, path) ? [candidate.column] : [],
    );
  };

  return {
    paths: columns.map((path) => path.join(".")),
    columnsOf: (grant) => {
      const found = known.get(grant) ?? find(grant);
      known.set(grant, found);

      return found;
    },
  };
};

/** Lists values an approval or judge raises to reviewed. */
export const listPromotionsOf = (node: GraphNode): readonly { readonly from: string; readonly to: string }[] => {
  if (asksPerson(node)) return node.config.promote;

  return judgesCase(node) ? [{ from: node.config.from, to: node.config.to }] : [];
};

const heldAgainst = (node: GraphNode, reads: readonly string[]): readonly string[] => {
  if (judgesCase(node)) return [node.config.from];

  return opensCase(node) && node.config.reviewers.some(({ type }) => type === "agent") ? reads : [];
};

export const buildModel = (facts: Facts): Model => {
  const byId = new Map(facts.graph.nodes.map((node) => [node.id, node]));
  const nodes = [...byId.values()].filter((node) => facts.topology.reachable.has(node.id));
  const numbers = new Map(nodes.map((node, index) => [node.id, index]));
  const uses = nodes.map((node) => usesOf(facts, node));
  const { paths, columnsOf } = columnsFor(facts, uses);
  const all = (grants: readonly string[]) => [...new Set(grants.flatMap(columnsOf))];
  const numbersOf = (ids: readonly string[]) => [...new Set(ids)].flatMap((id) => numbers.get(id) ?? []);
  const { immediatePostDominator } = postDominatorsOf(facts.graph);

  const sites = nodes.map((node, index): Site => {
    const { reads, writes: written, decisions } = uses[index] ?? { reads: [], writes: [], decisions: [] };
    // Approvals and judges reveal only what they promote.
    const decided = promotesOnly(node);
    const works = !decided && !isIdle(node);
    const writes = !works ? [] : all([...written, SO_FAR]);
    const decides = all(decisions.flatMap((one) => one.reads));

    return {
      node,
      next: numbersOf(facts.topology.successors.get(node.id) ?? []),
      failure: numbersOf(listFailureEdges(facts.topology, node)),
      refused: numbersOf(listRefusalEdges(facts.topology, node)),
      given: decided ? [] : reads,
      reads: decided ? [] : all(reads),
      writes,
      items: mapsItems(node) && "from" in node.config.items ? columnsOf(node.config.items.from) : [],
      decisions: decisions.map((one) => ({ edge: one.edge, columns: all(one.reads) })),
      decides,
      writesWhatDecides: decides.some((column) => writes.includes(column)),
      works,
      isolated: facts.graph.isolate_untrusted && isShownHandles(node),
      sendsBack: {
        columns: all(heldAgainst(node, reads)),
        to: opensCase(node) || judgesCase(node) ? numbersOf(listDeclaredTargets(node)) : [],
      },
      chooses: getKind(node).choice(node.config) !== undefined,
      tools: [...listTools(facts, node), ...listSubgraphTools(facts, node)],
      worker: mapsItems(node) ? numbers.get(node.config.worker_node) : undefined,
      master: numbers.get(facts.masters.get(node.id) ?? ""),
      promotes: listPromotionsOf(node).flatMap(({ from, to }) => columnsOf(from).flatMap((a) => columnsOf(to).map((b) => [a, b] as const))),
      until: numbers.get(immediatePostDominator(node.id) ?? "") ?? END,
    };
  });

  return { sites, numbers, paths, columnsOf };
};
