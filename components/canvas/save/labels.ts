import type { NewerDraft } from "@/components/canvas/state/saving";
import type { ChangeMark, GraphDiff } from "@/lib/graph/diff";
import type { Graph } from "@/lib/graph/document";
import { NODE_KINDS } from "@/lib/graph/kinds";
import type { MergeConflict } from "@/lib/graph/merge";

const listed = (words: readonly string[]): string => new Intl.ListFormat("en").format(words);

/** "Ada", "you in another tab". */
export const describeSaver = (by: NewerDraft["by"]): string =>
  by.length === 0 ? "someone" : listed(by.map((name) => name ?? "you in another tab"));

/** Starts a sentence. */
export const describeFirstSaver = (by: NewerDraft["by"]): string =>
  by[0] === null || by.length === 0 ? `${describeSaver(by).charAt(0).toUpperCase()}${describeSaver(by).slice(1)}` : describeSaver(by);

/** "Ada's changes". */
export const describeChangesOf = (by: NewerDraft["by"]): string => {
  if (by.length === 0) return "changes saved elsewhere";
  const others = by.filter((name) => name !== null);
  if (others.length === 0) return "your changes from another tab";

  return `${listed(others)}'s changes${by.length > others.length ? " and yours from another tab" : ""}`;
};

const nodeName = (graph: Graph, id: string): string => {
  const node = graph.nodes.find((one) => one.id === id);
  if (!node) return id;

  return `${NODE_KINDS[node.kind].title} ${node.title === "" ? node.id : node.title}`;
};

const edgeName = (graphs: readonly Graph[], id: string): string => {
  const edge = graphs.flatMap((graph) => graph.edges).find((one) => one.id === id);

  return edge ? `Edge from ${edge.source} to ${edge.target}` : id;
};

/** Uses the first document that has it. */
export const getSubject = ({ on, subject }: MergeConflict, graphs: readonly Graph[]): string => {
  const owner = graphs.find((graph) => graph.nodes.some((node) => node.id === subject));
  switch (on) {
    case "node":
      return owner ? nodeName(owner, subject) : subject;
    case "ways":
      return `Outgoing edges of ${owner ? nodeName(owner, subject) : subject}`;
    case "edge":
      return edgeName(graphs, subject);
    case "key":
      return `Memory key ${subject}`;
    case "settings":
      return "The graph";
    case "document":
      return "The whole graph";
    default:
      return on satisfies never;
  }
};

export const describeField = ({ field, namedBy }: MergeConflict): string => {
  if (field === null) return namedBy.length > 0 ? "removed, but still used" : "removed, but also changed";

  return field.replace(/^config\./u, "").replaceAll("_", " ");
};

const COUNTED: readonly ChangeMark[] = ["added", "changed", "removed"];

const counted = (marks: ReadonlyMap<string, ChangeMark>, one: string, many: string): string[] =>
  COUNTED.flatMap((mark) => {
    const count = [...marks.values()].filter((each) => each === mark).length;

    return count === 0 ? [] : [`${count} ${count === 1 ? one : many} ${mark}`];
  });

/** "2 nodes added, 1 edge removed". */
export const describeDifferences = ({ nodes, edges, memory, settings }: GraphDiff): string => {
  const words = [
    ...counted(nodes, "node", "nodes"),
    ...counted(edges, "edge", "edges"),
    ...counted(memory, "memory key", "memory keys"),
    ...(settings.length === 0 ? [] : [`${settings.length} ${settings.length === 1 ? "setting" : "settings"} changed`]),
  ];

  return words.length === 0 ? "only node positions" : words.join(", ");
};
