/** Where keys mean something else than a shortcut. */

const FIELDS = "input, textarea, select, [role='textbox'], [role='combobox'], [role='listbox'] *";
const POPUPS = "[role='dialog'], [role='alertdialog'], [role='menu']";

/** Fields have letters, an undo, a clipboard and a Delete of their own. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches(FIELDS));

/** A dialog or a menu has the keyboard for itself. */
export const isInPopup = (): boolean => document.querySelector(POPUPS) !== null;
