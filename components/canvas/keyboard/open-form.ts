/** From a place to its form and back. */
import type { CanvasTools } from "@/components/canvas/commands/canvas-tools";
import { focusSoon } from "./focus-soon";
import { placeName, isSamePlace, getSelectedPlace, selectPlace, type Place } from "./place";

/** Without the buttons: above the fields stand those that solve problems. */
const FIELDS = "input, textarea, select, [role='combobox']";

const firstField = (place: Place, label: string | null): HTMLElement | null => {
  const form = document.querySelector<HTMLElement>(`[data-form="${CSS.escape(placeName(place))}"]`);
  if (!form) return null;
  const fields = [...form.querySelectorAll<HTMLInputElement>(FIELDS)];
  const named =
    label === null ? undefined : fields.find((field) => [...(field.labels ?? [])].some(({ textContent }) => textContent === label));

  // A list has a hidden field besides, which Tab does not come to.
  return named ?? fields.find((field) => field.tabIndex >= 0 && !field.matches(":disabled")) ?? form;
};

/** Opens the form of a place and puts the keyboard into its first field, or into the one with this label. */
export const openForm = ({ store, setPlace }: CanvasTools, place: Place, label: string | null = null): void => {
  const selected = getSelectedPlace(store);
  if (!selected || !isSamePlace(selected, place)) selectPlace(store, place);
  void setPlace({ panel: "inspector" });
  focusSoon(() => firstField(place, label));
};
