"use client";

/** Speech input needs single-key shortcuts off (WCAG 2.1.4). */
import { useSyncExternalStore } from "react";
import { isCharacterKey } from "./match";
import type { Shortcut } from "./registry";

const NAME = "countersign.character-keys";
const OFF = "off";

const listeners = new Set<() => void>();

/** On by default and without storage. */
export const areCharacterKeysOn = (): boolean => {
  try {
    return window.localStorage.getItem(NAME) !== OFF;
  } catch {
    return true;
  }
};

/** Applies to this browser. */
export const switchCharacterKeys = (on: boolean): void => {
  try {
    if (on) window.localStorage.removeItem(NAME);
    else window.localStorage.setItem(NAME, OFF);
  } catch {
    // Without storage they stay on.
  }
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  // Changes by other tabs.
  window.addEventListener("storage", listener);

  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", listener);
  };
};

export const useCharacterKeys = (): boolean => useSyncExternalStore(subscribe, areCharacterKeysOn, () => true);

/** Leaves the shortcut selectable by name. */
export const stripCharacterKeys = (shortcut: Shortcut): Shortcut => {
  const { alsoKeys, ...rest } = shortcut;
  const also = alsoKeys?.some(isCharacterKey) ? undefined : alsoKeys;

  return { ...rest, ...(also ? { alsoKeys: also } : {}), keys: shortcut.keys.some(isCharacterKey) ? [] : shortcut.keys };
};
