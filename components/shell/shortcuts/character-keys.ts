"use client";

/** Whether keys that are a single character do something here: whoever speaks to the browser, or presses keys by accident, switches them off. */
import { useSyncExternalStore } from "react";
import { isCharacterKey } from "./match";
import type { Shortcut } from "./registry";

const NAME = "countersign.character-keys";
const OFF = "off";

const listeners = new Set<() => void>();

/** Also where the browser keeps nothing: there they are on. */
export const characterKeysAreOn = (): boolean => {
  try {
    return window.localStorage.getItem(NAME) !== OFF;
  } catch {
    return true;
  }
};

/** For this browser, for all pages. */
export const switchCharacterKeys = (on: boolean): void => {
  try {
    if (on) window.localStorage.removeItem(NAME);
    else window.localStorage.setItem(NAME, OFF);
  } catch {
    // A browser that keeps nothing leaves them on, and the switch shows that.
  }
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  // Another tab may have switched.
  window.addEventListener("storage", listener);

  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", listener);
  };
};

export const useCharacterKeys = (): boolean => useSyncExternalStore(subscribe, characterKeysAreOn, () => true);

/** A shortcut as it is while character keys are off: it can still be chosen by name. */
export const withoutCharacterKeys = (shortcut: Shortcut): Shortcut => {
  const { alsoKeys, ...rest } = shortcut;
  const also = alsoKeys?.some(isCharacterKey) ? undefined : alsoKeys;

  return { ...rest, ...(also ? { alsoKeys: also } : {}), keys: shortcut.keys.some(isCharacterKey) ? [] : shortcut.keys };
};
