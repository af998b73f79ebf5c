"use client";

import { useEffect, useRef, useState, type RefObject } from "react";
import { useCanvas } from "@/components/canvas/state/canvas-context";
import { findActive, type Last } from "./active";
import type { Row } from "./rows";

/**
 * Which row has the keyboard. It is the one that is selected, whoever selected it; without one it is where the keyboard was
 * last, or what took the place of that.
 */
export const useActiveRow = (rows: readonly Row[], grid: RefObject<HTMLElement | null>) => {
  const selection = useCanvas((state) => state.selection);
  const [last, setLast] = useState<Last>({ key: null, index: 0 });
  const hadKeyboard = useRef(false);

  const index = findActive(rows, selection, last);
  const active = rows[index];
  const key = active?.key ?? null;
  // What the next row to be active is measured by, when this one is gone.
  if (key !== null && (last.key !== key || last.index !== index)) setLast({ key, index });

  // The keyboard is the browser's: it follows the active row when it was in the grid, or when the row that had it is gone.
  useEffect(() => {
    const isLost = document.activeElement === document.body || grid.current?.contains(document.activeElement) === true;
    if (!hadKeyboard.current || !isLost || key === null) return;
    grid.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
  }, [key, grid]);

  return {
    index: rows.length === 0 ? -1 : index,
    setLast,
    /** Of the grid, to know whether the keyboard is in it. */
    watch: {
      onFocus: () => {
        hadKeyboard.current = true;
      },
      onBlur: () => {
        // A row that is taken away loses the keyboard to nobody; only somebody else takes it out of the grid.
        requestAnimationFrame(() => {
          const { activeElement } = document;
          if (activeElement !== document.body && grid.current?.contains(activeElement) !== true) hadKeyboard.current = false;
        });
      },
    },
  };
};
