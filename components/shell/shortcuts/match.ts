/** Which shortcut a sequence of keys means. Pure, so that it can be tested without a browser. */
import type { Shortcut } from "./registry";

export type KeyPress = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">;

/** The name of a key press as shortcuts write it; null for one that is never part of a shortcut. */
export const keyName = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyPress): string | null => {
  if (["Shift", "Control", "Meta", "Alt"].includes(key)) return null;
  const isMod = ctrlKey || metaKey;
  // What is typed with Shift alone says so itself: "?", "A".
  const saysShift = key.length === 1 && !isMod && !altKey;

  return `${isMod ? "Mod+" : ""}${altKey ? "Alt+" : ""}${shiftKey && !saysShift ? "Shift+" : ""}${isMod ? key.toLowerCase() : key}`;
};

export type Match =
  | { readonly type: "run"; readonly shortcut: Shortcut }
  /** The keys so far begin a shortcut. */
  | { readonly type: "wait"; readonly pressed: readonly string[] }
  | { readonly type: "none" };

const sequencesOf = ({ keys, alsoKeys }: Shortcut) => [keys, ...(alsoKeys ? [alsoKeys] : [])];

const startsWith = (keys: readonly string[], pressed: readonly string[]): boolean =>
  keys.length >= pressed.length && pressed.every((key, index) => keys[index] === key);

/** The one registered last wins: the innermost part of the page knows best. */
const matchKeys = (shortcuts: readonly Shortcut[], pressed: readonly string[]): Match => {
  const candidates = shortcuts.flatMap((shortcut) =>
    sequencesOf(shortcut).flatMap((keys) => (startsWith(keys, pressed) ? [{ shortcut, keys }] : [])),
  );
  const found = candidates.findLast(({ keys }) => keys.length === pressed.length);
  if (found) return { type: "run", shortcut: found.shortcut };

  return candidates.length > 0 ? { type: "wait", pressed } : { type: "none" };
};

/**
 * What a press means after others that still count: as their continuation, otherwise by itself.
 * @param names of the press, see `keyNames`
 */
export const matchPress = (shortcuts: readonly Shortcut[], before: readonly string[], names: readonly string[]): Match =>
  [before, []].flatMap((pressed) => names.map((name) => matchKeys(shortcuts, [...pressed, name]))).find(({ type }) => type !== "none") ?? {
    type: "none",
  };
