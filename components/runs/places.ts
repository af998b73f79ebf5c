/** Whose memory a cell is in: the run's own, or that of a subgraph at work, which the ledger tells apart by a prefix. */
import { framePrefix, withoutPrefix } from "@/lib/engine/frame";
import type { Cell, Frame, RunState } from "@/lib/engine/state";
import { placeTitles, type NodeNames } from "./node-names";

const prefixOf = (path: string): string => path.slice(0, path.length - withoutPrefix(path).length);

/** The cells that a ledger path is about, as they are in this state; none when that subgraph is not at work. */
export const cellsBeside = (state: RunState, path: string): readonly Cell[] => {
  const depth = [...state.frames.keys(), state.frames.length].find((level) => framePrefix(state.frames.slice(0, level)) === prefixOf(path));

  return depth === undefined ? [] : (state.frames[depth]?.outer.cells ?? state.cells);
};

const UUID = /([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gu;

/** A path with the ids in it as short as ids are shown elsewhere. */
export const shortPath = (path: string): string => path.replaceAll(UUID, "$1");

/** A ledger path as people read it: `desk / plan` is the plan inside the subgraph node `desk`. */
export const placedText = (frames: readonly Frame[], path: string, names: NodeNames): string => {
  const depth = frames.findIndex((candidate) => framePrefix([candidate]) === prefixOf(path));

  return depth < 0 ? path : [...placeTitles(names, frames.slice(0, depth + 1)), withoutPrefix(path)].join(" / ");
};

/** The node of the graph that runs which is at work: for what happens inside a subgraph, the node that stands for it. */
export const outermostNode = (state: RunState): string | null => state.frames[0]?.node ?? state.currentNode;
