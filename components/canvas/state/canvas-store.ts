/** One store per mounted canvas. It holds the document: what is drawn, validated and saved is this and nothing else. */
import { createStore, type StoreApi } from "zustand/vanilla";
import { NO_DECORATIONS, type Decorations } from "@/components/canvas/flow/decoration";
import type { ChangeMark } from "@/lib/graph/diff";
import type { Graph } from "@/lib/graph/document";
import { applyEdit, type EditOperation } from "@/lib/graph/edit";
import { NO_FINDINGS, type Findings } from "@/lib/graph/findings";
import type { ValidationContext } from "@/lib/graph/problems/facts";
import type { HexDigest } from "@/lib/hash";
import { endGroup, record, redo, startHistory, undo, type History } from "./history";
import { edited, isSaved, type Draft } from "./saving";

type Point = { readonly x: number; readonly y: number };

export type Selection = { readonly nodes: readonly string[]; readonly edges: readonly string[] };

/** What nodes may name. */
export type Catalog = ValidationContext & {
  /** Which rules the server checks graphs by; absent where nothing is published. */
  readonly bundle?: HexDigest;
};

/** Of a proposal: what differs from what is there, by id. */
export type CanvasMarks = { readonly nodes: ReadonlyMap<string, ChangeMark>; readonly edges: ReadonlyMap<string, ChangeMark> };

export type CanvasState = Draft & {
  readonly graphId: string;
  readonly catalog: Catalog;
  /** Why nothing can be changed here, or null. */
  readonly readOnly: string | null;
  readonly marks: CanvasMarks;
  /** What the analyst says about the document; a moment behind while one types. */
  readonly findings: Findings;
  /** The document that the findings are about; null before there are any. */
  readonly checked: Graph | null;
  /** Which rules the findings are by; null before there are any. */
  readonly bundle: HexDigest | null;
  /** What the chosen overlay lays over the drawing. */
  readonly decorations: Decorations;
  readonly selection: Selection;
  /** Where nodes are while they are dragged; one edit when they are dropped. */
  readonly dragging: Readonly<Record<string, Point>>;

  readonly edit: (edits: readonly EditOperation[], group?: string) => void;
  readonly endGroup: () => void;
  readonly undo: () => void;
  readonly redo: () => void;
  readonly select: (selection: Partial<Selection>) => void;
  readonly drag: (positions: Readonly<Record<string, Point>>) => void;
  readonly set: (change: Partial<Pick<CanvasState, "catalog" | "findings" | "checked" | "bundle" | "decorations">>) => void;
  /** Puts another document in the place of this one; that can be undone like any other edit. */
  readonly replace: (document: Graph) => void;
  /** What happens to the draft while it is saved; nothing else changes that part. */
  readonly saving: (step: (draft: Draft) => Draft) => void;
};

export type CanvasStore = StoreApi<CanvasState>;

const NO_MARKS: CanvasMarks = { nodes: new Map(), edges: new Map() };

/** What an undo or a merge takes away is not selected any more. */
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

/** Whether the server has what is drawn. */
export const isDraftSaved = (state: CanvasState): boolean => state.save.at === "rest" && isSaved(state);
