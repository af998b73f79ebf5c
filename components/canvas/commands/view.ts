import { FIT } from "@/components/canvas/flow/first-view";
import { GROUP, type CanvasCommands } from "./canvas-tools";
import { hasSelection, listSelectedNodes } from "./selection";

/** Only the canvas has a view. */
const whyNotDrawn = (): string | null => (document.querySelector(".react-flow") ? null : "Only on the canvas");

/** Zoom and drag commands. */
export const listViewCommands: CanvasCommands = ({ store, flow, view, setPlace }) => {
  const whyEmpty = () => whyNotDrawn() ?? (store.getState().history.document.nodes.length > 0 ? null : "There are no nodes yet");

  return [
    {
      keys: ["Mod+f"],
      label: "Find in graph",
      group: GROUP,
      menus: ["more", "canvas"],
      inFields: true,
      whyNot: whyEmpty,
      run: () => {
        void setPlace(({ find }) => ({ find: find ?? "" }));
        // The open bar takes the keys.
        document.querySelector<HTMLInputElement>("search input")?.select();
      },
    },
    {
      keys: ["Shift+1"],
      label: "Zoom to fit",
      group: GROUP,
      menus: ["canvas"],
      whyNot: whyEmpty,
      run: () => void flow.fitView(FIT),
    },
    {
      keys: ["Shift+2"],
      label: "Zoom to selection",
      group: GROUP,
      menus: ["node", "edge"],
      whyNot: () => whyNotDrawn() ?? (hasSelection(store) ? null : "Nothing is selected"),
      run: () => void flow.fitView({ ...FIT, nodes: listSelectedNodes(store).map((id) => ({ id })) }),
    },
    { keys: ["Shift+0"], label: "Zoom to 100 %", group: GROUP, menus: ["canvas"], run: () => void flow.zoomTo(1) },
    {
      keys: ["b"],
      label: "Switch between box select and pan",
      group: GROUP,
      menus: ["more", "canvas"],
      run: () => view.getState().set({ drag: view.getState().drag === "pan" ? "select" : "pan" }),
    },
  ];
};
