const NAMES: Readonly<Record<string, string>> = {
  Arrow: "Arrows",
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
  Escape: "Esc",
  Delete: "Del",
  Backspace: "⌫",
  " ": "Space",
};

const isApple = (): boolean => typeof navigator !== "undefined" && /Mac|iP/.test(navigator.platform);

/** `Mod+Shift+z` as `Ctrl Shift Z`, or `⌘ Shift Z` on a Mac. */
export const formatKey = (key: string): string => {
  // The last part may be `+`.
  const { before = "", last = key } = /^(?<before>(?:Mod\+|Alt\+|Shift\+)*)(?<last>.+)$/u.exec(key)?.groups ?? {};
  const name = NAMES[last] ?? (before === "" ? last : last.length === 1 ? last.toUpperCase() : last);

  return `${before.replace("Mod+", isApple() ? "⌘ " : "Ctrl ").replaceAll("+", " ")}${name}`;
};

/** Empty: no keys. */
export const formatKeys = (keys: readonly string[]): string => keys.map(formatKey).join(" then ");

/** `aria-keyshortcuts` can't express sequences. */
export const formatAriaKeys = (keys: readonly string[]): string | undefined =>
  keys.length === 1 ? keys[0]?.replace("Mod+", isApple() ? "Meta+" : "Control+") : undefined;
