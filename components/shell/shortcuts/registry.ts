/** The one registry of what can be done by name or by key: what is not here is no shortcut, and the `?` sheet, menus and the palette show what is here. */

export type Shortcut = {
  /**
   * Keys one after the other: a character or a name of `KeyboardEvent.key`, with `Mod+` (Ctrl or Command), `Alt+` and `Shift+`
   * before it, in this order: `["g", "r"]`, `["Mod+Shift+z"]`, `["Alt+ArrowUp"]`. Letters are small; what Shift makes of a key
   * that is no letter is written as it is: `["?"]`, but `["Shift+1"]`. `Arrow` is any of the four. Empty: it has no key.
   */
  readonly keys: readonly string[];
  /** Other keys that do the same. */
  readonly alsoKeys?: readonly string[];
  readonly label: string;
  /** Under which heading it is listed. */
  readonly group: string;
  /** @param name the name of the last key, `Alt+ArrowUp`; empty when it was chosen by its label */
  readonly run: (name: string) => void;
  /** Whether the keys belong here, where the keyboard is now; otherwise they are left to whoever else knows them. Absent: always. */
  readonly when?: () => boolean;
  /** Why it does nothing now, in a few words; null: it works. Absent: it always works. */
  readonly whyNot?: () => string | null;
  /** Works also while one types in a field. */
  readonly inFields?: true;
  /** It arms or opens something: a key that is held down does not run it. */
  readonly decides?: true;
  /** The browser makes an event of its own of these keys, which the page listens for: they are only listed here. */
  readonly byBrowser?: true;
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

export const whyNotNow = ({ whyNot }: Shortcut): string | null => whyNot?.() ?? null;
