"use client";

import { useEffect } from "react";
import { registerShortcuts, type Shortcut } from "./registry";

/** Registers shortcuts while mounted. @param shortcuts memoise it */
export const useShortcuts = (shortcuts: readonly Shortcut[]): void => {
  useEffect(() => registerShortcuts(shortcuts), [shortcuts]);
};
