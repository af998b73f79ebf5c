import type { CanvasStore } from "@/components/canvas/state/canvas-store";
import type { EditOperation } from "@/lib/graph/edit";
import { GROUP, type CanvasCommands } from "./canvas-tools";

/** The node that has the keyboard, or the only one that is selected. */
const nodeInFocus = (store: CanvasStore): string | null => {
  const focused = document.activeElement?.closest(".react-flow__node")?.getAttribute("data-id");
  const { nodes } = store.getState().selection;

  return focused ?? (nodes.length === 1 ? (nodes[0] ?? null) : null);
};

const remove = (store: CanvasStore, rejoin: boolean) => {
  const { selection, edit, select } = store.getState();
  const edits: EditOperation[] = [
    ...selection.nodes.map((node): EditOperation => ({ op: "remove_node", node, rejoin })),
    ...selection.edges.map((edge): EditOperation => ({ op: "remove_edge", edge })),
  ];
  edit(edits);
  select({ nodes: [], edges: [] });
};

export const editingCommands: CanvasCommands = ({ store, setPlace }) => {
  const connect = () => {
    const source = nodeInFocus(store);
    if (source === null || store.getState().readOnly !== null) return;
    store.getState().select({ nodes: [source], edges: [] });
    void setPlace({ dialog: "connect" });
  };

  return [
    { keys: ["c"], label: "Connect the focused node", group: GROUP, run: connect },
    { keys: ["Delete"], label: "Delete what is selected", group: GROUP, run: () => remove(store, false) },
    { keys: ["Backspace"], label: "Delete and rejoin", group: GROUP, run: () => remove(store, true) },
    { keys: ["Escape"], label: "Select nothing", group: GROUP, run: () => store.getState().select({ nodes: [], edges: [] }) },
  ];
};
