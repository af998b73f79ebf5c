import { explainDenial } from "@/lib/roles";
import { GROUP, type CanvasCommands } from "./canvas-tools";

export const listGraphCommands: CanvasCommands = ({ store, setPlace, role }) => [
  {
    keys: [],
    label: "Describe a change…",
    group: GROUP,
    menus: ["more"],
    whyNot: () => store.getState().readOnly,
    run: () => void setPlace({ dialog: "change" }),
  },
  { keys: [], label: "Versions", group: GROUP, menus: ["more"], run: () => void setPlace({ panel: "versions" }) },
  { keys: [], label: "Export…", group: GROUP, menus: ["more"], run: () => void setPlace({ dialog: "export" }) },
  {
    keys: [],
    label: "Import…",
    group: GROUP,
    menus: ["more"],
    whyNot: () => store.getState().readOnly,
    run: () => void setPlace({ dialog: "import" }),
  },
  {
    keys: [],
    label: "Publish…",
    group: GROUP,
    whyNot: () => explainDenial(role, "graph.publish"),
    run: () => void setPlace({ dialog: "publish" }),
  },
  { keys: [], label: "Run…", group: GROUP, whyNot: () => explainDenial(role, "run.start"), run: () => void setPlace({ dialog: "run" }) },
];
