import type { CanvasStore } from "@/components/canvas/state/canvas-store";
import type { SetPlace } from "@/components/canvas/state/use-canvas-url";
import type { EditOperation } from "@/lib/graph/edit";
import { findRemovalEffects, joinsOthers } from "@/lib/graph/removal";
import { GROUP, type CanvasCommands } from "./canvas-tools";
import { hasSelection, isOnCanvas, getFocusedNode, listNodesInHand } from "./selection";

export const removeSelected = (store: CanvasStore, rejoin: boolean): void => {
  const { selection, edit, select } = store.getState();
  const edits: EditOperation[] = [
    ...listNodesInHand(store).map((node): EditOperation => ({ op: "remove_node", node, rejoin })),
    ...selection.edges.map((edge): EditOperation => ({ op: "remove_edge", edge })),
  ];
  edit(edits);
  select({ nodes: [], edges: [] });
};

/** Removes the selection, or asks how if nodes lie between others or hold effects. @param rejoin null: not said yet */
export const requestRemoval = (store: CanvasStore, setPlace: SetPlace, rejoin: true | null): void => {
  const { history, catalog, selection, select } = store.getState();
  const nodes = listNodesInHand(store);
  const asks =
    rejoin === null
      ? joinsOthers(history.document, nodes)
      : nodes.length > 0 && findRemovalEffects(history.document, catalog, nodes, rejoin).opened.length > 0;
  if (!asks) {
    removeSelected(store, rejoin ?? false);

    return;
  }
  select({ nodes, edges: selection.edges });
  void setPlace({ dialog: "delete" });
};

/** Connect, select and remove commands. */
export const listEditingCommands: CanvasCommands = ({ store, setPlace }) => {
  const readOnly = () => store.getState().readOnly;
  const connect = () => {
    const source = getFocusedNode(store);
    if (source === null) return;
    store.getState().select({ nodes: [source], edges: [] });
    void setPlace({ dialog: "connect" });
  };
  const whyNothing = () => readOnly() ?? (hasSelection(store) || getFocusedNode(store) !== null ? null : "Nothing is selected");
  const whyNoNode = () => readOnly() ?? (listNodesInHand(store).length > 0 ? null : "No node is selected");

  return [
    {
      keys: ["c"],
      label: "Connect the focused node",
      group: GROUP,
      menus: ["node"],
      whyNot: () => readOnly() ?? (getFocusedNode(store) === null ? "Select a single node first" : null),
      run: connect,
    },
    {
      keys: ["Mod+a"],
      label: "Select all",
      group: GROUP,
      menus: ["canvas"],
      when: isOnCanvas,
      run: () => {
        const { nodes, edges } = store.getState().history.document;
        store.getState().select({ nodes: nodes.map(({ id }) => id), edges: edges.map(({ id }) => id) });
      },
    },
    {
      keys: ["Escape"],
      label: "Clear selection",
      group: GROUP,
      whyNot: () => (hasSelection(store) ? null : "Nothing is selected"),
      run: () => store.getState().select({ nodes: [], edges: [] }),
    },
    {
      keys: ["Delete"],
      label: "Delete selection",
      group: GROUP,
      menus: ["node", "edge"],
      when: isOnCanvas,
      whyNot: whyNothing,
      run: () => requestRemoval(store, setPlace, null),
    },
    {
      keys: ["Backspace"],
      label: "Delete and reconnect",
      group: GROUP,
      menus: ["node"],
      when: isOnCanvas,
      whyNot: whyNoNode,
      run: () => requestRemoval(store, setPlace, true),
    },
  ];
};
