import type { CanvasTools } from "@/components/canvas/commands/canvas-tools";
import { focusSoon } from "./focus-soon";
import { placeName, isSamePlace, getSelectedPlace, selectPlace, type Place } from "./place";

/** Buttons above the fields solve problems. */
const FIELDS = "input, textarea, select, [role='combobox']";

const firstField = (place: Place, label: string | null): HTMLElement | null => {
  const form = document.querySelector<HTMLElement>(`[data-form="${CSS.escape(placeName(place))}"]`);
  if (!form) return null;
  const fields = [...form.querySelectorAll<HTMLInputElement>(FIELDS)];
  const named =
    label === null ? undefined : fields.find((field) => [...(field.labels ?? [])].some(({ textContent }) => textContent === label));

  // Skips the hidden field of a list.
  return named ?? fields.find((field) => field.tabIndex >= 0 && !field.matches(":disabled")) ?? form;
};

export const openForm = ({ store, setPlace }: CanvasTools, place: Place, label: string | null = null): void => {
  const selected = getSelectedPlace(store);
  if (!selected || !isSamePlace(selected, place)) selectPlace(store, place);
  void setPlace({ panel: "inspector" });
  focusSoon(() => firstField(place, label));
};
