import { describe, expect, test } from "vitest";
import { isCharacterKey, listKeyNames, matchPress, type KeyPress } from "./match";
import type { Shortcut } from "./registry";

const shortcut = (...keys: readonly string[]): Shortcut => ({ keys, label: keys.join(" "), group: "Test", run: () => undefined });

const press = (key: string, change: Partial<KeyPress> = {}): KeyPress => ({
  key,
  code: "",
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...change,
});

describe("listKeyNames", () => {
  test("normalises Ctrl, Command and caps lock", () => {
    expect(listKeyNames(press("K", { ctrlKey: true }))).toEqual(["Mod+k"]);
    expect(listKeyNames(press("k", { metaKey: true }))).toEqual(["Mod+k"]);
    expect(listKeyNames(press("C"))).toEqual(["c"]);
  });

  test("includes Shift and Alt for letters and named keys", () => {
    expect(listKeyNames(press("Z", { ctrlKey: true, shiftKey: true, code: "KeyZ" }))).toEqual(["Mod+Shift+z"]);
    expect(listKeyNames(press("ArrowUp", { altKey: true, shiftKey: true }))).toEqual(["Alt+Shift+ArrowUp"]);
    expect(listKeyNames(press("Enter", { shiftKey: true }))).toEqual(["Shift+Enter"]);
  });

  test("returns the shifted character, and for digits also the key", () => {
    expect(listKeyNames(press("?", { shiftKey: true, code: "Slash" }))).toEqual(["?"]);
    expect(listKeyNames(press("!", { shiftKey: true, code: "Digit1" }))).toEqual(["!", "Shift+1"]);
    expect(listKeyNames(press("/", { shiftKey: true, code: "Digit7" }))).toEqual(["/", "Shift+7"]);
    expect(listKeyNames(press("1", { shiftKey: true, code: "Digit1" }))).toEqual(["1", "Shift+1"]);
  });

  test("uses the printed letter on layouts without Latin letters", () => {
    expect(listKeyNames(press("я", { ctrlKey: true, code: "KeyZ" }))).toEqual(["Mod+я", "Mod+z"]);
  });

  test("ignores a modifier alone", () => {
    expect(listKeyNames(press("Shift", { shiftKey: true }))).toEqual([]);
    expect(listKeyNames(press("Alt", { altKey: true }))).toEqual([]);
  });

  test("classifies character keys", () => {
    expect(["c", "?", "Shift+1", "Shift+l"].every(isCharacterKey)).toBe(true);
    expect(["Mod+k", "Alt+c", "Shift+Enter", "Escape", "ArrowUp"].some(isCharacterKey)).toBe(false);
  });
});

describe("matchPress", () => {
  const shortcuts = [shortcut("g", "h"), shortcut("g", "r"), shortcut("?")];

  test("waits for a sequence and runs a complete one", () => {
    expect(matchPress(shortcuts, [], ["g"])).toEqual({ type: "wait", pressed: ["g"] });
    expect(matchPress(shortcuts, ["g"], ["r"])).toEqual({ type: "run", shortcut: shortcuts[1], name: "r" });
    expect(matchPress(shortcuts, ["g"], ["x"])).toEqual({ type: "none" });
  });

  test("restarts from the last key of a failed sequence", () => {
    expect(matchPress(shortcuts, ["g"], ["?"])).toMatchObject({ shortcut: shortcuts[2] });
  });

  test("prefers the shortcut registered last, and matches all its keys", () => {
    const inner: Shortcut = { ...shortcut("Shift+1"), alsoKeys: ["?"] };

    expect(matchPress([...shortcuts, inner], [], ["?"])).toMatchObject({ shortcut: inner });
    expect(matchPress([...shortcuts, inner], [], ["!", "Shift+1"])).toMatchObject({ shortcut: inner, name: "Shift+1" });
  });

  test("ignores commands without keys", () => {
    expect(matchPress([shortcut()], [], ["a"])).toEqual({ type: "none" });
  });

  test("ignores shortcuts that don't apply at the focus", () => {
    const elsewhere = { ...shortcut("g", "h"), when: () => false };

    expect(matchPress([...shortcuts, elsewhere], ["g"], ["h"])).toMatchObject({ shortcut: shortcuts[0] });
    expect(matchPress([elsewhere], [], ["g"])).toEqual({ type: "none" });
  });

  test("matches any arrow with the required modifiers", () => {
    const arrows = [shortcut("Arrow"), shortcut("Alt+Arrow")];

    expect(matchPress(arrows, [], ["ArrowLeft"])).toEqual({ type: "run", shortcut: arrows[0], name: "ArrowLeft" });
    expect(matchPress(arrows, [], ["Alt+ArrowUp"])).toMatchObject({ shortcut: arrows[1] });
    expect(matchPress(arrows, [], ["Shift+ArrowUp"])).toEqual({ type: "none" });
  });
});
