"use client";

import { useEffect, useMemo, useState } from "react";
import { keyName, matchKeys } from "./match";
import { currentShortcuts } from "./registry";
import { ShortcutSheet } from "./shortcut-sheet";
import { useShortcuts } from "./use-shortcuts";

/** How long after `g` the next key still belongs to it. */
const SEQUENCE_MS = 1200;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches("input, textarea, select, [role='textbox'], [role='combobox'], [role='listbox'] *"));

// A dialog has the keyboard for itself.
const isInDialog = (): boolean => document.querySelector("[role='dialog'], [role='alertdialog']") !== null;

/** Listens for the keys of all registered shortcuts, and shows them on `?`. Mounted once. */
export const ShortcutHost = () => {
  const [isOpen, setIsOpen] = useState(false);
  const own = useMemo(() => [{ keys: ["?"], label: "Show the shortcuts", group: "Everywhere", run: () => setIsOpen(true) }], []);
  useShortcuts(own);

  useEffect(() => {
    let pressed: readonly string[] = [];
    let pressedAtMs = 0;
    const handle = (event: KeyboardEvent) => {
      const name = keyName(event);
      if (name === null || event.defaultPrevented || event.isComposing || isInDialog()) return;
      // In a field a letter is a letter; only combinations with a modifier still count.
      if (isTyping(event.target) && !name.startsWith("Mod+")) return;

      const before = event.timeStamp - pressedAtMs < SEQUENCE_MS ? pressed : [];
      const continued = matchKeys(currentShortcuts(), [...before, name]);
      const match = continued.type === "none" ? matchKeys(currentShortcuts(), [name]) : continued;
      pressed = match.type === "wait" ? match.pressed : [];
      pressedAtMs = event.timeStamp;
      if (match.type !== "run") return;
      event.preventDefault();
      match.shortcut.run();
    };
    document.addEventListener("keydown", handle);

    return () => document.removeEventListener("keydown", handle);
  }, []);

  return <ShortcutSheet open={isOpen} onOpenChange={setIsOpen} />;
};
