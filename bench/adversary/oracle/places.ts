import type { LedgerRecord } from "@/lib/engine/ledger/record";
import type { PublishedGraph } from "@/lib/graph/document";
import { joined, type Level } from "@/bench/adversary/taint";
import { computeWorkedMs } from "./budget";
import { findNode, placeOf, type Blame, type Place, type Seen } from "./visibility";
import type { Crossing } from "./writes";

const MOST = 32;

export const newPlace = (published: PublishedGraph, node: string | null, strict: boolean, entered: Place["entered"]): Place => ({
  published,
  strict: strict || published.graph.strict_taint,
  node,
  at: null,
  activation: -1,
  memory: {},
  chosen: undefined,
  handoff: null,
  attempts: 0,
  retryAt: null,
  entered,
});

const levelsOf = (seen: Seen, ways: Readonly<Record<string, string>>): Map<string, Level> =>
  new Map(Object.entries(ways).map(([to, from]) => [to, joined(seen.taint.control(), seen.taint.at([from]))]));

const descend = (seen: Seen, record: LedgerRecord, version: string, nodeId: string, blame: Blame): Crossing => {
  const from = placeOf(seen);
  const node = findNode(seen, nodeId);
  const root = seen.world.scenario.published;
  const child = root.subgraphs.find((candidate) => candidate.version === version);
  if (node?.kind !== "subgraph" || node.id !== from.at || node.config.version !== version)
    blame("F1", `${nodeId} is no subgraph that says so`);
  const levels = node?.kind === "subgraph" ? levelsOf(seen, node.config.inputs) : new Map<string, Level>();
  const entered = { iterations: seen.iterations, workedMs: computeWorkedMs(seen, record.at), tokens: seen.tokens, cost: seen.cost };
  seen.taint.descend();
  seen.places.push(newPlace(child ? { ...child, subgraphs: root.subgraphs } : from.published, nodeId, from.strict, entered));
  if (seen.places.length > MOST + 1) blame("F1", "subgraphs are nested deeper than they may be");

  return { node, way: "in", from, levels };
};

const ascend = (seen: Seen, blame: Blame): Crossing => {
  const from = placeOf(seen);
  if (seen.places.length === 1) {
    blame("F1", "left a subgraph that was not entered");

    return { node: undefined, way: "out", from, levels: new Map() };
  }
  if (from.at !== null) blame("F1", "left a subgraph that had not ended");
  const outer = seen.places.at(-2);
  const node = outer?.published.graph.nodes.find(({ id }) => id === from.node);
  const levels = node?.kind === "subgraph" ? levelsOf(seen, node.config.outputs) : new Map<string, Level>();
  seen.places.pop();
  seen.taint.ascend();

  return { node, way: "out", from, levels };
};

/** Applies before the record's cells. */
export const cross = (seen: Seen, record: LedgerRecord, blame: Blame): Crossing | null => {
  const down = record.control.find((event) => event.type === "frame_entered");
  if (down?.type === "frame_entered") return descend(seen, record, down.version, down.node, blame);

  return record.control.some((event) => event.type === "frame_left") ? ascend(seen, blame) : null;
};
