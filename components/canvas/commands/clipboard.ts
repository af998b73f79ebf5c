import { copyEntry, cut, duplicate, paste } from "@/components/canvas/clipboard/clipboard";
import { formatKeys } from "@/components/shortcuts/key-label";
import { notify } from "@/components/ui/toast";
import { GROUP, type CanvasCommands } from "./canvas-tools";
import { listNodesInHand } from "./selection";

const refused = (keys: readonly string[]) => () =>
  notify({
    title: "Your browser blocks clipboard access from this menu",
    description: `Press ${formatKeys(keys)} instead.`,
    tone: "error",
  });

const COPY = ["Mod+c"];
const CUT = ["Mod+x"];
const PASTE = ["Mod+v"];

const write = (text: string | null, keys: readonly string[]) => {
  if (text !== null) Promise.resolve(navigator.clipboard.writeText(text)).catch(refused(keys));
};

/** The first three keys are browser events; see `useClipboard`. */
export const listClipboardCommands: CanvasCommands = (tools) => {
  const { store } = tools;
  const readOnly = () => store.getState().readOnly;
  const whyNothing = () => (listNodesInHand(store).length > 0 ? null : "No node is selected");
  const copy = (keys: readonly string[], take: typeof copyEntry) => {
    if ("clipboard" in navigator) write(take(tools), keys);
    else refused(keys)();
  };

  return [
    {
      keys: COPY,
      byBrowser: true,
      label: "Copy",
      group: GROUP,
      menus: ["node"],
      whyNot: whyNothing,
      run: () => copy(COPY, copyEntry),
    },
    {
      keys: CUT,
      byBrowser: true,
      label: "Cut",
      group: GROUP,
      menus: ["node"],
      whyNot: () => readOnly() ?? whyNothing(),
      run: () => copy(CUT, cut),
    },
    {
      keys: PASTE,
      byBrowser: true,
      label: "Paste",
      group: GROUP,
      menus: ["canvas"],
      whyNot: readOnly,
      run: () => {
        if ("clipboard" in navigator) navigator.clipboard.readText().then((text) => paste(tools, text), refused(PASTE));
        else refused(PASTE)();
      },
    },
    {
      keys: ["Mod+d"],
      label: "Duplicate",
      group: GROUP,
      menus: ["node"],
      whyNot: () => readOnly() ?? whyNothing(),
      run: () => duplicate(tools),
    },
  ];
};
