/** Command registry. */

export type Shortcut = {
  /**
   * Sequence of `KeyboardEvent.key` names with `Mod+` (Ctrl or Command), `Alt+`, `Shift+` in this order: `["g", "r"]`, `["Mod+Shift+z"]`.
   * Letters are small; other shifted keys are as typed: `["?"]`, but `["Shift+1"]`. `Arrow` is any of four. Empty: no key.
   */
  readonly keys: readonly string[];
  readonly alsoKeys?: readonly string[];
  readonly label: string;
  readonly group: string;
  /** @param name of the last key, `Alt+ArrowUp`; empty when chosen by label */
  readonly run: (name: string) => void;
  /** Applies at the current focus; absent: always. */
  readonly when?: () => boolean;
  /** Null or absent: available. */
  readonly whyNot?: () => string | null;
  /** Also inside fields. */
  readonly inFields?: true;
  /** A held key must not run it. */
  readonly decides?: true;
  /** Listed only; the browser fires events such as `copy`. */
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
