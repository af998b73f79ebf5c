"use client";

import { useEffect } from "react";
import { registerShortcuts, type Shortcut } from "./registry";

/** Registers shortcuts while the component is mounted. @param shortcuts memoise it: a new list registers again */
export const useShortcuts = (shortcuts: readonly Shortcut[]): void => {
  useEffect(() => registerShortcuts(shortcuts), [shortcuts]);
};
