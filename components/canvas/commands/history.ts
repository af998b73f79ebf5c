import { GROUP, type CanvasCommands } from "./canvas-tools";

export const listHistoryCommands: CanvasCommands = ({ store, saver }) => [
  {
    keys: ["Mod+s"],
    label: "Save",
    group: GROUP,
    menus: ["more"],
    inFields: true,
    whyNot: () => store.getState().readOnly,
    run: () => void saver.saveNow(),
  },
  {
    keys: ["Mod+z"],
    label: "Undo",
    group: GROUP,
    whyNot: () => (store.getState().history.past.length > 0 ? null : "Nothing to undo"),
    run: () => store.getState().undo(),
  },
  {
    keys: ["Mod+Shift+z"],
    alsoKeys: ["Mod+y"],
    label: "Redo",
    group: GROUP,
    whyNot: () => (store.getState().history.future.length > 0 ? null : "Nothing to redo"),
    run: () => store.getState().redo(),
  },
];
