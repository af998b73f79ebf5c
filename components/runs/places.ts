/** Maps ledger paths to the memory of the run or of an entered subgraph, which the ledger marks with a prefix. */
import { getFramePrefix, stripPrefix } from "@/lib/engine/frame";
import type { Cell, Frame, RunState } from "@/lib/engine/state";
import { placeTitles, type NodeNames } from "./node-names";

const prefixOf = (path: string): string => path.slice(0, path.length - stripPrefix(path).length);

/** The cells of the memory that a ledger path belongs to; empty if that subgraph is not entered. */
export const listCellsBeside = (state: RunState, path: string): readonly Cell[] => {
  const depth = [...state.frames.keys(), state.frames.length].find(
    (level) => getFramePrefix(state.frames.slice(0, level)) === prefixOf(path),
  );

  return depth === undefined ? [] : (state.frames[depth]?.outer.cells ?? state.cells);
};

const UUID = /([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gu;

/** Shortens UUIDs in a path. */
export const shortenPath = (path: string): string => path.replaceAll(UUID, "$1");

/** Formats a ledger path: `desk / plan` is the key `plan` inside the subgraph node `desk`. */
export const formatPlaced = (frames: readonly Frame[], path: string, names: NodeNames): string => {
  const depth = frames.findIndex((candidate) => getFramePrefix([candidate]) === prefixOf(path));

  return depth < 0 ? path : [...placeTitles(names, frames.slice(0, depth + 1)), stripPrefix(path)].join(" / ");
};

/** The active node of the outermost graph. */
export const getOutermostNode = (state: RunState): string | null => state.frames[0]?.node ?? state.currentNode;
