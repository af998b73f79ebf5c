/** Which shortcut a sequence of keys means. Pure, so that it can be tested without a browser. */
import type { Shortcut } from "./registry";

export type KeyPress = { readonly key: string; readonly ctrlKey: boolean; readonly metaKey: boolean; readonly altKey: boolean };

/** The name of a key press as shortcuts write it; null for one that is never part of a shortcut. */
export const keyName = ({ key, ctrlKey, metaKey, altKey }: KeyPress): string | null => {
  if (altKey || ["Shift", "Control", "Meta", "Alt"].includes(key)) return null;

  return ctrlKey || metaKey ? `Mod+${key.toLowerCase()}` : key;
};

export type Match =
  | { readonly type: "run"; readonly shortcut: Shortcut }
  /** The keys so far begin a shortcut. */
  | { readonly type: "wait"; readonly pressed: readonly string[] }
  | { readonly type: "none" };

const startsWith = (keys: readonly string[], pressed: readonly string[]): boolean => pressed.every((key, index) => keys[index] === key);

/** The one registered last wins: the innermost part of the page knows best. */
export const matchKeys = (shortcuts: readonly Shortcut[], pressed: readonly string[]): Match => {
  const candidates = shortcuts.filter(({ keys }) => startsWith(keys, pressed));
  const shortcut = candidates.findLast(({ keys }) => keys.length === pressed.length);
  if (shortcut) return { type: "run", shortcut };

  return candidates.length > 0 ? { type: "wait", pressed } : { type: "none" };
};
