/** Matches key sequences to shortcuts. Pure. */
import type { Shortcut } from "./registry";

export type KeyPress = Pick<KeyboardEvent, "key" | "code" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">;

const MODIFIERS = ["Shift", "Control", "Meta", "Alt", "AltGraph"];

/** Letter or digit printed on a key, regardless of layout. */
const engraved = (code: string): string | null => /^(?:Key|Digit)(?<name>[A-Z0-9])$/.exec(code)?.groups?.["name"]?.toLowerCase() ?? null;

const isLatinLetter = (key: string): boolean => /^[a-z]$/i.test(key);

/**
 * Names of a key press in shortcut notation, likeliest first; none for a modifier alone. There are two where the character depends
 * on the layout: `!` on some layouts is `Shift+1` on all.
 */
export const listKeyNames = ({ key, code, ctrlKey, metaKey, altKey, shiftKey }: KeyPress): readonly string[] => {
  if (MODIFIERS.includes(key)) return [];
  const before = `${ctrlKey || metaKey ? "Mod+" : ""}${altKey ? "Alt+" : ""}`;
  const shift = shiftKey ? "Shift+" : "";
  if (isLatinLetter(key)) return [`${before}${shift}${key.toLowerCase()}`];
  const isCharacter = /^.$/u.test(key);
  const onKey = engraved(code);
  const byPlace = isCharacter && onKey !== null ? [`${before}${shift}${onKey}`] : [];

  return [...new Set([`${before}${isCharacter ? "" : shift}${key}`, ...byPlace])];
};

/** Whether the key is a single character, which WCAG 2.1.4 requires to be switchable. */
export const isCharacterKey = (key: string): boolean => /^(?:Shift\+)?.$/u.test(key);

export type Match =
  | { readonly type: "run"; readonly shortcut: Shortcut; readonly name: string }
  /** The keys so far are the start of a shortcut. */
  | { readonly type: "wait"; readonly pressed: readonly string[] }
  | { readonly type: "none" };

const sequencesOf = ({ keys, alsoKeys }: Shortcut) => [keys, ...(alsoKeys ? [alsoKeys] : [])];

/** `Arrow` matches all four arrow keys. */
const isKey = (key: string | undefined, pressed: string): boolean =>
  key === pressed || (key?.endsWith("Arrow") === true && key === pressed.replace(/(?<=Arrow)(?:Up|Down|Left|Right)$/, ""));

const startsWith = (keys: readonly string[], pressed: readonly string[]): boolean =>
  keys.length >= pressed.length && pressed.every((name, index) => isKey(keys[index], name));

/** The shortcut registered last wins: it belongs to the innermost part of the page. */
const matchKeys = (shortcuts: readonly Shortcut[], pressed: readonly string[]): Match => {
  const candidates = shortcuts.flatMap((shortcut) =>
    sequencesOf(shortcut).flatMap((keys) => (startsWith(keys, pressed) && (shortcut.when?.() ?? true) ? [{ shortcut, keys }] : [])),
  );
  const found = candidates.findLast(({ keys }) => keys.length === pressed.length);
  if (found) return { type: "run", shortcut: found.shortcut, name: pressed.at(-1) ?? "" };

  return candidates.length > 0 ? { type: "wait", pressed } : { type: "none" };
};

/**
 * Matches a key press, as the continuation of earlier ones or on its own.
 * @param names of the press, see `listKeyNames`
 */
export const matchPress = (shortcuts: readonly Shortcut[], before: readonly string[], names: readonly string[]): Match =>
  [before, []].flatMap((pressed) => names.map((name) => matchKeys(shortcuts, [...pressed, name]))).find(({ type }) => type !== "none") ?? {
    type: "none",
  };
