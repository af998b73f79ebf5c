"use client";

import { useEffect, useMemo, useState } from "react";
import { areCharacterKeysOn, stripCharacterKeys } from "./character-keys";
import { listKeyNames, matchPress } from "./match";
import { getCurrentShortcuts, explainNotNow } from "./registry";
import { ShortcutSheet } from "./shortcut-sheet";
import { isInPopup, isTyping } from "./typing";
import { useShortcuts } from "./use-shortcuts";

/** Between keys of a sequence. */
const SEQUENCE_MS = 1200;

/** Excludes keys of fields and the browser. */
const meantHere = (target: EventTarget | null) => {
  const isInField = isTyping(target);
  const here = getCurrentShortcuts().filter(({ inFields, byBrowser }) => byBrowser !== true && (inFields === true || !isInField));

  return areCharacterKeysOn() ? here : here.map(stripCharacterKeys);
};

/** Runs shortcuts and lists them on `?`. Mount once. */
export const ShortcutHost = () => {
  const [isOpen, setIsOpen] = useState(false);
  const own = useMemo(() => [{ keys: ["?"], label: "Show keyboard shortcuts", group: "Everywhere", run: () => setIsOpen(true) }], []);
  useShortcuts(own);

  useEffect(() => {
    let pressed: readonly string[] = [];
    let pressedAtMs = 0;
    const handle = (event: KeyboardEvent) => {
      const names = listKeyNames(event);
      if (names.length === 0 || event.defaultPrevented || event.isComposing || isInPopup()) return;
      const before = event.timeStamp - pressedAtMs < SEQUENCE_MS ? pressed : [];
      const match = matchPress(meantHere(event.target), before, names);
      pressed = match.type === "wait" ? match.pressed : [];
      pressedAtMs = event.timeStamp;
      if (match.type !== "run" || explainNotNow(match.shortcut) !== null) return;
      event.preventDefault();
      if (match.shortcut.decides === true && event.repeat) return;
      match.shortcut.run(match.name);
    };
    document.addEventListener("keydown", handle);

    return () => document.removeEventListener("keydown", handle);
  }, []);

  return <ShortcutSheet open={isOpen} onOpenChange={setIsOpen} />;
};
