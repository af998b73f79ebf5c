/** Changes by one record. */
import { labelSchema, type Label } from "@/lib/graph/label";
import { formatMoney, count } from "@/lib/format";
import { stripPrefix } from "@/lib/engine/frame";
import { getControlLabel, type RunState } from "@/lib/engine/state";
import type { Entry } from "./entries";
import { ID_NAMES, placeTitles, type NodeNames } from "./node-names";
import { listCellsBeside, formatPlaced } from "./places";
import { ABSENT, getShownAt, toShownEntry, type Shown } from "@/components/values/visible-value";

export type PathChange = {
  readonly path: string;
  readonly index: number;
  readonly before: Shown;
  readonly after: Shown;
  readonly label: Label;
  readonly isAside: boolean;
};

export type FigureChange = { readonly name: string; readonly before: string; readonly after: string };

const NO_LABEL: Label = { integrity: "untrusted", confidentiality: "secret", provenance: [] };

export const listPathChanges = (before: RunState, after: RunState, entry: Entry, names: NodeNames = ID_NAMES): PathChange[] =>
  (entry.record?.writes ?? []).map((write, index) => {
    const isAside = write.path.startsWith("$");

    return {
      index,
      path: formatPlaced(before.frames.length > after.frames.length ? before.frames : after.frames, write.path, names),
      before: isAside ? ABSENT : getShownAt(listCellsBeside(before, write.path), stripPrefix(write.path)),
      after: toShownEntry(entry.cells.find((cell) => cell.index === index)),
      label: labelSchema.safeParse(write.label).data ?? NO_LABEL,
      isAside,
    };
  });

const FIGURES: readonly { readonly name: string; readonly of: (state: RunState, names: NodeNames) => string }[] = [
  { name: "Status", of: (state) => state.status },
  { name: "Node", of: (state, names) => (state.currentNode === null ? "none" : names.at(state.frames)(state.currentNode)) },
  { name: "Subgraph", of: (state, names) => placeTitles(names, state.frames).join(" / ") || "none" },
  { name: "Iterations", of: (state) => count(state.iterationCount) },
  { name: "Retries", of: (state) => count(state.retryCount) },
  { name: "Tokens", of: (state) => count(state.totalTokens) },
  { name: "Cost", of: (state) => formatMoney(state.costMicroUsd) },
  { name: "Handoffs", of: (state) => count(state.handoffs) },
  { name: "Can be rolled back", of: (state) => count(state.compensation.filter((undo) => undo.outcome === null).length) },
  { name: "Refusals", of: (state) => count(state.refusals) },
  { name: "Control flow", of: (state) => getControlLabel(state).integrity },
];

export const listFigureChanges = (before: RunState, after: RunState, names: NodeNames = ID_NAMES): FigureChange[] =>
  FIGURES.map(({ name, of }) => ({ name, before: of(before, names), after: of(after, names) })).filter(
    (figure) => figure.before !== figure.after,
  );
