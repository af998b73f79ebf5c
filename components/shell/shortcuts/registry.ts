/** The one registry of keyboard shortcuts: what is not here is not a shortcut, and the `?` sheet shows what is here. */

export type Shortcut = {
  /** Keys one after the other, as `KeyboardEvent.key`, with `Mod+` for Ctrl or Command: `["g", "r"]`, `["Mod+k"]`. */
  readonly keys: readonly string[];
  readonly label: string;
  /** Under which heading the sheet lists it. */
  readonly group: string;
  readonly run: () => void;
};

type Listener = () => void;

let registered: readonly Shortcut[] = [];
const listeners = new Set<Listener>();

const announce = () => {
  for (const listener of listeners) listener();
};

/** Adds shortcuts as long as the part of the page that knows them is there. @returns what removes them */
export const registerShortcuts = (shortcuts: readonly Shortcut[]): (() => void) => {
  registered = [...registered, ...shortcuts];
  announce();

  return () => {
    registered = registered.filter((each) => !shortcuts.includes(each));
    announce();
  };
};

export const currentShortcuts = (): readonly Shortcut[] => registered;

export const subscribeToShortcuts = (listener: Listener): (() => void) => {
  listeners.add(listener);

  return () => listeners.delete(listener);
};
