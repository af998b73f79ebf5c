import type { GraphNode } from "@/lib/graph/document";
import { NODE_KINDS } from "@/lib/graph/kinds";
import type { KindFacts } from "@/lib/graph/kinds/define-kind";
import type { Work, Works } from "@/lib/graph/kinds/work";

export const getKind = (node: GraphNode): KindFacts<GraphNode["config"]> =>
  // The compiler does not relate the kind and the config of a union.
  NODE_KINDS[node.kind] as unknown as KindFacts<GraphNode["config"]>;

type NodeWith<W extends Work> = Extract<GraphNode, { config: Works[W] }>;

/** The kind's declaration checks that the config fits the work. */
const does =
  <W extends Work>(work: W) =>
  (node: GraphNode | null | undefined): node is NodeWith<W> =>
    node !== null && node !== undefined && getKind(node).work === work;

export const callsTool = does("call");
export const computes = does("computation");
export const runsCode = does("script");
export const mapsItems = does("items");
export const runsGraph = does("frame");
export const asksPerson = does("question");
export const fillsForm = does("form");
export const opensCase = does("verdicts");
export const judgesCase = does("judgment");
export const waits = does("wait");

/** Returns whether a program answers the node. */
export const hearsProgram = (node: GraphNode): boolean => waits(node) && node.config.until.type === "event";

export const seesGoal = (node: GraphNode): boolean =>
  !(callsTool(node) || isIdle(node) || isInZone(node) || hearsProgram(node) || runsCode(node));

/** Returns whether a node only routes, asks or waits for a time. */
export const isIdle = (node: GraphNode): boolean =>
  asksPerson(node) || getKind(node).work === "route" || (waits(node) && !hearsProgram(node));

/** Returns whether a node only decides what a value becomes. */
export const promotesOnly = (node: GraphNode): boolean => asksPerson(node) || judgesCase(node);

/** Returns whether a node sees only values it names. */
export const isInZone = (node: GraphNode): boolean => fillsForm(node) || opensCase(node) || judgesCase(node);
