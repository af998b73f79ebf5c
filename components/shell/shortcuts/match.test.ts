import { describe, expect, test } from "vitest";
import { keyName, matchKeys } from "./match";
import type { Shortcut } from "./registry";

const shortcut = (...keys: readonly string[]): Shortcut => ({ keys, label: keys.join(" "), group: "Test", run: () => undefined });

describe("a key press", () => {
  const press = { ctrlKey: false, metaKey: false, altKey: false };

  test("is named alike for Ctrl and Command", () => {
    expect(keyName({ ...press, key: "K", ctrlKey: true })).toBe("Mod+k");
    expect(keyName({ ...press, key: "k", metaKey: true })).toBe("Mod+k");
  });

  test("of a modifier alone, or with Alt, is no part of a shortcut", () => {
    expect(keyName({ ...press, key: "Shift" })).toBeNull();
    expect(keyName({ ...press, key: "g", altKey: true })).toBeNull();
  });
});

describe("a sequence of keys", () => {
  const shortcuts = [shortcut("g", "h"), shortcut("g", "r"), shortcut("?")];

  test("waits while it begins a shortcut and runs when it is one", () => {
    expect(matchKeys(shortcuts, ["g"])).toEqual({ type: "wait", pressed: ["g"] });
    expect(matchKeys(shortcuts, ["g", "r"])).toEqual({ type: "run", shortcut: shortcuts[1] });
    expect(matchKeys(shortcuts, ["g", "x"])).toEqual({ type: "none" });
  });

  test("means what was registered last", () => {
    const inner = shortcut("?");

    expect(matchKeys([...shortcuts, inner], ["?"])).toEqual({ type: "run", shortcut: inner });
  });
});
