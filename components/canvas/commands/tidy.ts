import { tidy } from "@/components/canvas/tidy/tidy";
import { GROUP, type CanvasCommands } from "./canvas-tools";

export const listTidyCommands: CanvasCommands = ({ store, view, flow }) => [
  {
    keys: ["Shift+l"],
    label: "Auto-layout",
    group: GROUP,
    menus: ["more", "canvas"],
    whyNot: () => {
      const { readOnly, history } = store.getState();
      if (view.getState().work !== null) return "In progress";

      return readOnly ?? (history.document.nodes.length > 1 ? null : "There is nothing to arrange");
    },
    run: () => void tidy({ store, view, flow }),
  },
  {
    keys: ["Escape"],
    label: "Stop auto-layout",
    group: GROUP,
    when: () => view.getState().work !== null,
    run: () => view.getState().work?.cancel(),
  },
];
