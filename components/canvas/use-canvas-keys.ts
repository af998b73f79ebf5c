"use client";

import { useMemo } from "react";
import { useShortcuts } from "@/components/shell/shortcuts/use-shortcuts";
import { useCanvasStore, useSaver } from "@/components/canvas/state/canvas-context";
import type { CanvasStore } from "@/components/canvas/state/canvas-store";
import type { EditOperation } from "@/lib/graph/edit";

const GROUP = "Graph editor";

/** The node that has the keyboard, or the only one that is selected. */
const nodeInFocus = (store: CanvasStore): string | null => {
  const focused = document.activeElement?.closest(".react-flow__node")?.getAttribute("data-id");
  const { nodes } = store.getState().selection;

  return focused ?? (nodes.length === 1 ? (nodes[0] ?? null) : null);
};

const isInField = (): boolean => document.activeElement?.matches("input, textarea, select") ?? false;

const remove = (store: CanvasStore, rejoin: boolean) => {
  const { selection, edit, select } = store.getState();
  const edits: EditOperation[] = [
    ...selection.nodes.map((node): EditOperation => ({ op: "remove_node", node, rejoin })),
    ...selection.edges.map((edge): EditOperation => ({ op: "remove_edge", edge })),
  ];
  edit(edits);
  select({ nodes: [], edges: [] });
};

/** The keys of the editor. Undo and redo keep out of fields, which have their own. */
export const useCanvasKeys = (onConnect: (source: string) => void): void => {
  const store = useCanvasStore();
  const saver = useSaver();
  const shortcuts = useMemo(() => {
    const outsideFields = (run: () => void) => () => {
      if (!isInField()) run();
    };
    const connect = () => {
      const source = nodeInFocus(store);
      if (source !== null && store.getState().readOnly === null) onConnect(source);
    };

    return [
      { keys: ["Mod+s"], label: "Save", group: GROUP, run: () => void saver.saveNow() },
      { keys: ["Mod+z"], label: "Undo", group: GROUP, run: outsideFields(() => store.getState().undo()) },
      { keys: ["Mod+y"], label: "Redo", group: GROUP, run: outsideFields(() => store.getState().redo()) },
      { keys: ["c"], label: "Connect the focused node", group: GROUP, run: connect },
      { keys: ["Delete"], label: "Delete what is selected", group: GROUP, run: () => remove(store, false) },
      { keys: ["Backspace"], label: "Delete and rejoin", group: GROUP, run: () => remove(store, true) },
      { keys: ["Escape"], label: "Select nothing", group: GROUP, run: () => store.getState().select({ nodes: [], edges: [] }) },
    ];
  }, [store, saver, onConnect]);
  useShortcuts(shortcuts);
};
