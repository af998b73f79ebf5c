/** One store per mounted canvas. It holds the document: what is drawn, validated and saved is this and nothing else. */
import { createStore, type StoreApi } from "zustand/vanilla";
import { NO_DECORATIONS, type Decorations } from "@/components/canvas/flow/decoration";
import type { ChangeMark } from "@/lib/graph/diff";
import type { Graph } from "@/lib/graph/document";
import { applyEdit, type EditOperation } from "@/lib/graph/edit";
import { NO_FINDINGS, type Findings } from "@/lib/graph/findings";
import type { ValidationContext } from "@/lib/graph/problems/facts";
import { endGroup, record, redo, startHistory, undo, type History } from "./history";

type Point = { readonly x: number; readonly y: number };

export type Selection = { readonly nodes: readonly string[]; readonly edges: readonly string[] };

export type SaveStatus = "saved" | "dirty" | "saving" | "failed" | "conflict";

export type Conflict = { readonly revision: number; readonly document: Graph };

/** Of a proposal: what differs from what is there, by id. */
export type CanvasMarks = { readonly nodes: ReadonlyMap<string, ChangeMark>; readonly edges: ReadonlyMap<string, ChangeMark> };

export type CanvasState = {
  readonly graphId: string;
  readonly history: History;
  readonly catalog: ValidationContext;
  /** Why nothing can be changed here, or null. */
  readonly readOnly: string | null;
  readonly marks: CanvasMarks;
  /** What the analyst says about the document; a moment behind while one types. */
  readonly findings: Findings;
  /** The document that the findings are about; null before there are any. */
  readonly checked: Graph | null;
  /** What the chosen overlay lays over the drawing. */
  readonly decorations: Decorations;
  /** The revision on the server that `saved` is. */
  readonly revision: number;
  readonly saved: Graph;
  readonly status: SaveStatus;
  /** Why the last save failed, as a sentence. */
  readonly failure: string | null;
  readonly conflict: Conflict | null;
  readonly selection: Selection;
  /** Where nodes are while they are dragged; one edit when they are dropped. */
  readonly dragging: Readonly<Record<string, Point>>;

  readonly edit: (edits: readonly EditOperation[], group?: string) => void;
  readonly endGroup: () => void;
  readonly undo: () => void;
  readonly redo: () => void;
  readonly select: (selection: Partial<Selection>) => void;
  readonly drag: (positions: Readonly<Record<string, Point>>) => void;
  readonly set: (
    change: Partial<
      Pick<CanvasState, "status" | "failure" | "conflict" | "revision" | "saved" | "catalog" | "findings" | "checked" | "decorations">
    >,
  ) => void;
  /** Puts another document in the place of this one, as if it had been loaded. */
  readonly load: (revision: number, document: Graph) => void;
};

export type CanvasStore = StoreApi<CanvasState>;

const NOTHING: Selection = { nodes: [], edges: [] };
const NO_MARKS: CanvasMarks = { nodes: new Map(), edges: new Map() };

const statusOf = (state: CanvasState, document: Graph): SaveStatus => {
  if (state.status === "conflict" || state.status === "saving") return state.status;

  return document === state.saved ? "saved" : "dirty";
};

type Loaded = Pick<CanvasState, "graphId" | "revision" | "catalog" | "readOnly"> & {
  readonly document: Graph;
  readonly selection: Selection;
  readonly marks?: CanvasMarks;
};

export const createCanvasStore = ({ document, marks = NO_MARKS, ...loaded }: Loaded): CanvasStore =>
  createStore<CanvasState>((set, get) => {
    const moveTo = (history: History) => set((state) => ({ history, status: statusOf(state, history.document) }));

    return {
      ...loaded,
      marks,
      findings: NO_FINDINGS,
      checked: null,
      decorations: NO_DECORATIONS,
      history: startHistory(document),
      saved: document,
      status: "saved",
      failure: null,
      conflict: null,
      dragging: {},
      edit: (edits, group) => {
        const { history, readOnly } = get();
        if (readOnly !== null) return;
        moveTo(record(history, edits.reduce(applyEdit, history.document), group ?? null));
      },
      endGroup: () => set(({ history }) => ({ history: endGroup(history) })),
      undo: () => moveTo(undo(get().history)),
      redo: () => moveTo(redo(get().history)),
      select: (selection) => set((state) => ({ selection: { ...state.selection, ...selection } })),
      drag: (dragging) => set({ dragging }),
      set: (change) => set(change),
      load: (revision, next) =>
        set({
          history: startHistory(next),
          saved: next,
          revision,
          status: "saved",
          failure: null,
          conflict: null,
          selection: NOTHING,
          dragging: {},
        }),
    };
  });
