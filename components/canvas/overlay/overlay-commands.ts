import { GROUP, type CanvasCommands } from "@/components/canvas/commands/canvas-tools";
import { focusSoon } from "@/components/canvas/keyboard/focus-soon";
import { placeInHand, placeOf, selectPlace } from "@/components/canvas/keyboard/place";
import type { CanvasStore } from "@/components/canvas/state/canvas-store";
import type { SetPlace } from "@/components/canvas/state/use-canvas-url";
import { getNextOverlay } from "./overlays";

/** Overlay card id. */
export const CARD = "overlay-card";

const isLit = (store: CanvasStore): boolean => {
  const place = placeOf(document.activeElement);
  const { nodes, edges } = store.getState().decorations;
  const found = place && (place.type === "node" ? nodes : edges).get(place.id);

  return found ? found.tone !== "faded" : false;
};

const show = (store: CanvasStore, setPlace: SetPlace): void => {
  const place = placeInHand(store);
  if (place) selectPlace(store, place);
  void setPlace({ panel: "overlay", flow: null, step: null, ...(place?.type === "node" ? { hostile: `node:${place.id}` } : {}) });
  focusSoon(() => document.getElementById(CARD));
};

export const listOverlayCommands: CanvasCommands = ({ store, setPlace }) => {
  const isOn = () => (store.getState().decorations.nodes.size > 0 ? null : "No overlay is selected");
  const step = (by: 1 | -1) => () =>
    void setPlace((place) => ({ step: place.step === null ? 0 : Math.max(0, place.step + by), panel: "overlay" }));

  return [
    {
      keys: ["v"],
      label: "Show the next overlay",
      group: GROUP,
      menus: ["more", "canvas"],
      run: () =>
        void setPlace(({ overlay, panel }) => {
          const next = getNextOverlay(overlay);
          const shown = next === null ? (panel === "overlay" ? "inspector" : panel) : "overlay";

          return { overlay: next, panel: shown, flow: null, step: null };
        }),
    },
    {
      keys: ["Enter"],
      label: "Show the data flow",
      group: GROUP,
      when: () => isLit(store),
      whyNot: isOn,
      run: () => show(store, setPlace),
    },
    { keys: ["."], label: "Highlight the next step", group: GROUP, whyNot: isOn, run: step(1) },
    { keys: [","], label: "Highlight the previous step", group: GROUP, whyNot: isOn, run: step(-1) },
  ];
};
