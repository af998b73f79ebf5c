import { GROUP, type CanvasCommands } from "@/components/canvas/commands/canvas-tools";
import { focusSoon, soon } from "./focus-soon";
import { findEntrance, focusPlace } from "./go-to";

const PALETTE = "[data-palette]";
const PANEL = "[role='tabpanel']";

/** Focus of an empty graph. */
const EMPTY = ".react-flow, [aria-label='Outline'] button";

const isDrawn = (): boolean => document.querySelector(".react-flow") !== null;

const isBeside = (): boolean => document.activeElement?.closest(`${PALETTE}, ${PANEL}`) instanceof HTMLElement;

export const listGoCommands: CanvasCommands = (tools) => {
  const { store, setPlace, view } = tools;
  const back = () => {
    const place = findEntrance(store, null);
    if (place) focusPlace(tools, place);
    else focusSoon(() => document.querySelector<HTMLElement>(EMPTY));
  };

  return [
    {
      keys: ["o"],
      label: "Switch between canvas and outline",
      group: GROUP,
      menus: ["more"],
      run: () => {
        const wasDrawn = isDrawn();
        void setPlace({ view: wasDrawn ? "outline" : "canvas" });
        // Waits until the other view is mounted.
        soon(() => {
          const isThere = isDrawn() !== wasDrawn;
          if (isThere) back();

          return isThere;
        });
      },
    },
    {
      keys: ["n"],
      label: "Go to the palette",
      group: GROUP,
      whyNot: () => store.getState().readOnly,
      run: () => {
        view.getState().set({ palette: "shown" });
        focusSoon(
          () => document.querySelector<HTMLElement>(`${PALETTE} input`) ?? document.querySelector<HTMLElement>(`${PALETTE} button`),
        );
      },
    },
    { keys: ["Escape"], label: "Back to the node", group: GROUP, inFields: true, when: isBeside, run: back },
  ];
};
