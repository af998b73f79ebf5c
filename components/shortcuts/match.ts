import type { Shortcut } from "./registry";

export type KeyPress = Pick<KeyboardEvent, "key" | "code" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">;

const MODIFIERS = ["Shift", "Control", "Meta", "Alt", "AltGraph"];

/** Layout-independent letter or digit. */
const engraved = (code: string): string | null => /^(?:Key|Digit)(?<name>[A-Z0-9])$/.exec(code)?.groups?.["name"]?.toLowerCase() ?? null;

const isLatinLetter = (key: string): boolean => /^[a-z]$/i.test(key);

/** Names of a key press, likeliest first; none for modifiers. Layouts differ: `!` may be `Shift+1`. */
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

/** Returns whether WCAG 2.1.4 requires a switch. */
export const isCharacterKey = (key: string): boolean => /^(?:Shift\+)?.$/u.test(key);

export type Match =
  | { readonly type: "run"; readonly shortcut: Shortcut; readonly name: string }
  /** Start of a shortcut. */
  | { readonly type: "wait"; readonly pressed: readonly string[] }
  | { readonly type: "none" };

const sequencesOf = ({ keys, alsoKeys }: Shortcut) => [keys, ...(alsoKeys ? [alsoKeys] : [])];

/** `Arrow` matches all four. */
const isKey = (key: string | undefined, pressed: string): boolean =>
  key === pressed || (key?.endsWith("Arrow") === true && key === pressed.replace(/(?<=Arrow)(?:Up|Down|Left|Right)$/, ""));

const startsWith = (keys: readonly string[], pressed: readonly string[]): boolean =>
  keys.length >= pressed.length && pressed.every((name, index) => isKey(keys[index], name));

/** The last one belongs to the innermost part. */
const matchKeys = (shortcuts: readonly Shortcut[], pressed: readonly string[]): Match => {
  const candidates = shortcuts.flatMap((shortcut) =>
    sequencesOf(shortcut).flatMap((keys) => (startsWith(keys, pressed) && (shortcut.when?.() ?? true) ? [{ shortcut, keys }] : [])),
  );
  const found = candidates.findLast(({ keys }) => keys.length === pressed.length);
  if (found) return { type: "run", shortcut: found.shortcut, name: pressed.at(-1) ?? "" };

  return candidates.length > 0 ? { type: "wait", pressed } : { type: "none" };
};

/** Matches a press, alone or in sequence. @param names from `listKeyNames` */
export const matchPress = (shortcuts: readonly Shortcut[], before: readonly string[], names: readonly string[]): Match =>
  [before, []].flatMap((pressed) => names.map((name) => matchKeys(shortcuts, [...pressed, name]))).find(({ type }) => type !== "none") ?? {
    type: "none",
  };
