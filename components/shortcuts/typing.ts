const FIELDS = "input, textarea, select, [role='textbox'], [role='combobox'], [role='listbox'] *";
const POPUPS = "[role='dialog'], [role='alertdialog'], [role='menu']";

/** Fields handle letters, undo, clipboard and Delete. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches(FIELDS));

/** Dialogs and menus handle all keys. */
export const isInPopup = (): boolean => document.querySelector(POPUPS) !== null;
