import { GROUP, outsideFields, type CanvasCommands } from "./canvas-tools";

export const historyCommands: CanvasCommands = ({ store, saver }) => [
  { keys: ["Mod+s"], label: "Save", group: GROUP, run: () => void saver.saveNow() },
  { keys: ["Mod+z"], label: "Undo", group: GROUP, run: outsideFields(() => store.getState().undo()) },
  { keys: ["Mod+y"], label: "Redo", group: GROUP, run: outsideFields(() => store.getState().redo()) },
];
