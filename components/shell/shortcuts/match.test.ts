import { describe, expect, test } from "vitest";
import { isCharacterKey, keyNames, matchPress, type KeyPress } from "./match";
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

describe("a key press", () => {
  test("is named alike for Ctrl and Command, and with caps lock", () => {
    expect(keyNames(press("K", { ctrlKey: true }))).toEqual(["Mod+k"]);
    expect(keyNames(press("k", { metaKey: true }))).toEqual(["Mod+k"]);
    expect(keyNames(press("C"))).toEqual(["c"]);
  });

  test("says Shift and Alt, with letters and with keys that have a name", () => {
    expect(keyNames(press("Z", { ctrlKey: true, shiftKey: true, code: "KeyZ" }))).toEqual(["Mod+Shift+z"]);
    expect(keyNames(press("ArrowUp", { altKey: true, shiftKey: true }))).toEqual(["Alt+Shift+ArrowUp"]);
    expect(keyNames(press("Enter", { shiftKey: true }))).toEqual(["Shift+Enter"]);
  });

  test("of a character that Shift makes is that character, and of a digit also its key, on every layout", () => {
    expect(keyNames(press("?", { shiftKey: true, code: "Slash" }))).toEqual(["?"]);
    expect(keyNames(press("!", { shiftKey: true, code: "Digit1" }))).toEqual(["!", "Shift+1"]);
    expect(keyNames(press("/", { shiftKey: true, code: "Digit7" }))).toEqual(["/", "Shift+7"]);
    expect(keyNames(press("1", { shiftKey: true, code: "Digit1" }))).toEqual(["1", "Shift+1"]);
  });

  test("on a layout without Latin letters counts by the letter on the key", () => {
    expect(keyNames(press("я", { ctrlKey: true, code: "KeyZ" }))).toEqual(["Mod+я", "Mod+z"]);
  });

  test("of a modifier alone is no part of a shortcut", () => {
    expect(keyNames(press("Shift", { shiftKey: true }))).toEqual([]);
    expect(keyNames(press("Alt", { altKey: true }))).toEqual([]);
  });

  test("is a character key with and without Shift, but not with another modifier or when it has a name", () => {
    expect(["c", "?", "Shift+1", "Shift+l"].every(isCharacterKey)).toBe(true);
    expect(["Mod+k", "Alt+c", "Shift+Enter", "Escape", "ArrowUp"].some(isCharacterKey)).toBe(false);
  });
});

describe("a sequence of keys", () => {
  const shortcuts = [shortcut("g", "h"), shortcut("g", "r"), shortcut("?")];

  test("waits while it begins a shortcut and runs when it is one", () => {
    expect(matchPress(shortcuts, [], ["g"])).toEqual({ type: "wait", pressed: ["g"] });
    expect(matchPress(shortcuts, ["g"], ["r"])).toEqual({ type: "run", shortcut: shortcuts[1], name: "r" });
    expect(matchPress(shortcuts, ["g"], ["x"])).toEqual({ type: "none" });
  });

  test("that leads nowhere counts anew from its last key", () => {
    expect(matchPress(shortcuts, ["g"], ["?"])).toMatchObject({ shortcut: shortcuts[2] });
  });

  test("means what was registered last, and knows all keys of a shortcut by all names of a press", () => {
    const inner: Shortcut = { ...shortcut("Shift+1"), alsoKeys: ["?"] };

    expect(matchPress([...shortcuts, inner], [], ["?"])).toMatchObject({ shortcut: inner });
    expect(matchPress([...shortcuts, inner], [], ["!", "Shift+1"])).toMatchObject({ shortcut: inner, name: "Shift+1" });
  });

  test("is never begun by a command that has no keys", () => {
    expect(matchPress([shortcut()], [], ["a"])).toEqual({ type: "none" });
  });

  test("means nothing where it does not belong, and leaves the key to whoever it belongs to", () => {
    const elsewhere = { ...shortcut("g", "h"), when: () => false };

    expect(matchPress([...shortcuts, elsewhere], ["g"], ["h"])).toMatchObject({ shortcut: shortcuts[0] });
    expect(matchPress([elsewhere], [], ["g"])).toEqual({ type: "none" });
  });

  test("may be any of the four arrows, with the modifiers it asks for", () => {
    const arrows = [shortcut("Arrow"), shortcut("Alt+Arrow")];

    expect(matchPress(arrows, [], ["ArrowLeft"])).toEqual({ type: "run", shortcut: arrows[0], name: "ArrowLeft" });
    expect(matchPress(arrows, [], ["Alt+ArrowUp"])).toMatchObject({ shortcut: arrows[1] });
    expect(matchPress(arrows, [], ["Shift+ArrowUp"])).toEqual({ type: "none" });
  });
});
