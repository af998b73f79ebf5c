/** Focus targets at which keys are not shortcuts. */

const FIELDS = "input, textarea, select, [role='textbox'], [role='combobox'], [role='listbox'] *";
const POPUPS = "[role='dialog'], [role='alertdialog'], [role='menu']";

/** Whether the target is a text field, which handles letters, undo, clipboard and Delete itself. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches(FIELDS));

/** Whether a dialog or menu is open, which handles all keys itself. */
export const isInPopup = (): boolean => document.querySelector(POPUPS) !== null;
