/** Resolves ledger paths, which have prefixes for subgraphs. */
import { getFramePrefix, stripPrefix } from "@/lib/engine/frame";
import type { Cell, Frame, RunState } from "@/lib/engine/state";
import { placeTitles, type NodeNames } from "./node-names";

const prefixOf = (path: string): string => path.slice(0, path.length - stripPrefix(path).length);

/** Memory of a ledger path; empty for subgraphs not entered. */
export const listCellsBeside = (state: RunState, path: string): readonly Cell[] => {
  const depth = [...state.frames.keys(), state.frames.length].find(
    (level) => getFramePrefix(state.frames.slice(0, level)) === prefixOf(path),
  );

  return depth === undefined ? [] : (state.frames[depth]?.outer.cells ?? state.cells);
};

/** `desk / plan` is the key `plan` inside the subgraph node `desk`. */
export const formatPlaced = (frames: readonly Frame[], path: string, names: NodeNames): string => {
  const depth = frames.findIndex((candidate) => getFramePrefix([candidate]) === prefixOf(path));

  return depth < 0 ? path : [...placeTitles(names, frames.slice(0, depth + 1)), stripPrefix(path)].join(" / ");
};

export const getOutermostNode = (state: RunState): string | null => state.frames[0]?.node ?? state.currentNode;
