/** Canvas store: the document that is drawn, validated and saved. */
import { createStore, type StoreApi } from "zustand/vanilla";
import { NO_DECORATIONS, type Decorations } from "@/components/canvas/flow/decoration";
import type { ChangeMark } from "@/lib/graph/diff";
import type { Graph } from "@/lib/graph/document";
import { applyEdit, type EditOperation } from "@/lib/graph/edit";
import { NO_FINDINGS, type Findings } from "@/lib/graph/findings";
import type { ValidationContext } from "@/lib/graph/facts/facts";
import type { HexDigest } from "@/lib/hash";
import { endGroup, record, redo, startHistory, undo, type History } from "./history";
import { edited, isSaved, type Draft } from "./saving";

type Point = { readonly x: number; readonly y: number };

export type Selection = { readonly nodes: readonly string[]; readonly edges: readonly string[] };

export type Catalog = ValidationContext & {
  /** Server rules; absent if nothing is published here. */
  readonly bundle?: HexDigest;
};

export type CanvasMarks = { readonly nodes: ReadonlyMap<string, ChangeMark>; readonly edges: ReadonlyMap<string, ChangeMark> };

export type CanvasState = Draft & {
  readonly graphId: string;
  readonly catalog: Catalog;
  /** Null: editable. */
  readonly readOnly: string | null;
  readonly marks: CanvasMarks;
  /** Slightly stale while typing. */
  readonly findings: Findings;
  /** Subject of `findings`. */
  readonly checked: Graph | null;
  /** Rules of `findings`. */
  readonly bundle: HexDigest | null;
  readonly decorations: Decorations;
  readonly selection: Selection;
  /** Becomes one edit on drop. */
  readonly dragging: Readonly<Record<string, Point>>;

  readonly edit: (edits: readonly EditOperation[], group?: string) => void;
  readonly endGroup: () => void;
  readonly undo: () => void;
  readonly redo: () => void;
  readonly select: (selection: Partial<Selection>) => void;
  readonly drag: (positions: Readonly<Record<string, Point>>) => void;
  readonly set: (change: Partial<Pick<CanvasState, "catalog" | "findings" | "checked" | "bundle" | "decorations">>) => void;
  /** Replaces the document, with undo. */
  readonly replace: (document: Graph) => void;
  /** The only way to change the draft's save state. */
  readonly saving: (step: (draft: Draft) => Draft) => void;
};

export type CanvasStore = StoreApi<CanvasState>;

const NO_MARKS: CanvasMarks = { nodes: new Map(), edges: new Map() };

/** Undo and merges deselect removed items. */
const stillThere = (selection: Selection, { nodes, edges }: Graph): Selection => {
  const keep = (selected: readonly string[], items: readonly { readonly id: string }[]): readonly string[] => {
    if (selected.length === 0) return selected;
    const ids = new Set(items.map(({ id }) => id));

    return selected.every((id) => ids.has(id)) ? selected : selected.filter((id) => ids.has(id));
  };
  const kept = { nodes: keep(selection.nodes, nodes), edges: keep(selection.edges, edges) };

  return kept.nodes === selection.nodes && kept.edges === selection.edges ? selection : kept;
};

type Loaded = Pick<CanvasState, "graphId" | "catalog" | "readOnly"> & {
  readonly revision: number;
  readonly hash?: string;
  readonly document: Graph;
  readonly selection: Selection;
  readonly marks?: CanvasMarks;
};

export const createCanvasStore = ({ revision, hash, document, marks = NO_MARKS, ...loaded }: Loaded): CanvasStore =>
  createStore<CanvasState>((set, get) => {
    const advance = (step: (draft: Draft) => Draft) =>
      set((state) => {
        const next = step(state);

        return { ...next, selection: stillThere(state.selection, next.history.document) };
      });
    const moveTo = (history: History) => advance((draft) => edited(draft, history));

    return {
      ...loaded,
      marks,
      findings: NO_FINDINGS,
      checked: null,
      bundle: null,
      decorations: NO_DECORATIONS,
      history: startHistory(document),
      base: { revision, hash: hash ?? null, document },
      save: { at: "rest" },
      unanswered: [],
      merged: null,
      dragging: {},
      edit: (edits, group) => {
        const { history, readOnly } = get();
        if (readOnly !== null) return;
        moveTo(record(history, edits.reduce(applyEdit, history.document), group ?? null));
      },
      replace: (next) => {
        if (get().readOnly === null) moveTo(record(get().history, next, null));
      },
      endGroup: () => set(({ history }) => ({ history: endGroup(history) })),
      undo: () => moveTo(undo(get().history)),
      redo: () => moveTo(redo(get().history)),
      select: (selection) => set((state) => ({ selection: { ...state.selection, ...selection } })),
      drag: (dragging) => set({ dragging }),
      set: (change) => set(change),
      saving: advance,
    };
  });

export const isDraftSaved = (state: CanvasState): boolean => state.save.at === "rest" && isSaved(state);
