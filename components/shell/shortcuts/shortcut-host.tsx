"use client";

import { useEffect, useMemo, useState } from "react";
import { characterKeysAreOn, withoutCharacterKeys } from "./character-keys";
import { keyNames, matchPress } from "./match";
import { currentShortcuts, whyNotNow } from "./registry";
import { ShortcutSheet } from "./shortcut-sheet";
import { isInPopup, isTyping } from "./typing";
import { useShortcuts } from "./use-shortcuts";

/** How long after `g` the next key still belongs to it. */
const SEQUENCE_MS = 1200;

/** What the keys mean now: in a field a letter is a letter, and what the browser does by itself is left to it. */
const meantHere = (target: EventTarget | null) => {
  const isInField = isTyping(target);
  const here = currentShortcuts().filter(({ inFields, byBrowser }) => byBrowser !== true && (inFields === true || !isInField));

  return characterKeysAreOn() ? here : here.map(withoutCharacterKeys);
};

/** Listens for the keys of all registered shortcuts, and shows them on `?`. Mounted once. */
export const ShortcutHost = () => {
  const [isOpen, setIsOpen] = useState(false);
  const own = useMemo(() => [{ keys: ["?"], label: "Show keyboard shortcuts", group: "Everywhere", run: () => setIsOpen(true) }], []);
  useShortcuts(own);

  useEffect(() => {
    let pressed: readonly string[] = [];
    let pressedAtMs = 0;
    const handle = (event: KeyboardEvent) => {
      const names = keyNames(event);
      if (names.length === 0 || event.defaultPrevented || event.isComposing || isInPopup()) return;
      const before = event.timeStamp - pressedAtMs < SEQUENCE_MS ? pressed : [];
      const match = matchPress(meantHere(event.target), before, names);
      pressed = match.type === "wait" ? match.pressed : [];
      pressedAtMs = event.timeStamp;
      if (match.type !== "run" || whyNotNow(match.shortcut) !== null) return;
      event.preventDefault();
      if (match.shortcut.decides === true && event.repeat) return;
      match.shortcut.run(match.name);
    };
    document.addEventListener("keydown", handle);

    return () => document.removeEventListener("keydown", handle);
  }, []);

  return <ShortcutSheet open={isOpen} onOpenChange={setIsOpen} />;
};
