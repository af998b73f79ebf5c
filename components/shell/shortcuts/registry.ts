/** Registry of all commands and shortcuts; source of the `?` sheet, menus and the command palette. */

export type Shortcut = {
  /**
   * Keys one after the other: a character or a name of `KeyboardEvent.key`, with `Mod+` (Ctrl or Command), `Alt+` and `Shift+`
   * before it, in this order: `["g", "r"]`, `["Mod+Shift+z"]`, `["Alt+ArrowUp"]`. Letters are small; what Shift makes of a key
   * that is no letter is written as it is: `["?"]`, but `["Shift+1"]`. `Arrow` is any of the four. Empty: it has no key.
   */
  readonly keys: readonly string[];
  /** Alternative keys. */
  readonly alsoKeys?: readonly string[];
  readonly label: string;
  /** Heading under which it is listed. */
  readonly group: string;
  /** @param name the name of the last key, `Alt+ArrowUp`; empty when it was chosen by its label */
  readonly run: (name: string) => void;
  /** Whether the keys apply at the current focus; otherwise other handlers get them. Absent: always. */
  readonly when?: () => boolean;
  /** Why it is unavailable, or null. Absent: always available. */
  readonly whyNot?: () => string | null;
  /** Also works while the focus is in a field. */
  readonly inFields?: true;
  /** Arms a decision or opens a value, so a held key must not run it. */
  readonly decides?: true;
  /** Listed only: the browser fires its own event for these keys, such as `copy`. */
  readonly byBrowser?: true;
};

type Listener = () => void;

let registered: readonly Shortcut[] = [];
const listeners = new Set<Listener>();

const announce = () => {
  for (const listener of listeners) listener();
};

/** Adds shortcuts. @returns a function that removes them */
export const registerShortcuts = (shortcuts: readonly Shortcut[]): (() => void) => {
  registered = [...registered, ...shortcuts];
  announce();

  return () => {
    registered = registered.filter((each) => !shortcuts.includes(each));
    announce();
  };
};

export const getCurrentShortcuts = (): readonly Shortcut[] => registered;

export const subscribeToShortcuts = (listener: Listener): (() => void) => {
  listeners.add(listener);

  return () => listeners.delete(listener);
};

export const explainNotNow = ({ whyNot }: Shortcut): string | null => whyNot?.() ?? null;
