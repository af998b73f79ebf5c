"use client";

import { useEffect, useRef, useState, type RefObject } from "react";
import { useCanvas } from "@/components/canvas/state/canvas-context";
import { findActive, type Last } from "./active";
import type { Row } from "./rows";

/** Active row: selected, else last active or its successor. */
export const useActiveRow = (rows: readonly Row[], grid: RefObject<HTMLElement | null>) => {
  const selection = useCanvas((state) => state.selection);
  const [last, setLast] = useState<Last>({ key: null, index: 0 });
  const hadKeyboard = useRef(false);

  const index = findActive(rows, selection, last);
  const active = rows[index];
  const key = active?.key ?? null;
  // Finds the successor of a removed row.
  if (key !== null && (last.key !== key || last.index !== index)) setLast({ key, index });

  // Follows the active row from inside the grid or a removed row.
  useEffect(() => {
    const isLost = document.activeElement === document.body || grid.current?.contains(document.activeElement) === true;
    if (!hadKeyboard.current || !isLost || key === null) return;
    grid.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
  }, [key, grid]);

  return {
    index: rows.length === 0 ? -1 : index,
    setLast,
    watch: {
      onFocus: () => {
        hadKeyboard.current = true;
      },
      onBlur: () => {
        // A removed row does not move the focus outside.
        requestAnimationFrame(() => {
          const { activeElement } = document;
          if (activeElement !== document.body && grid.current?.contains(activeElement) !== true) hadKeyboard.current = false;
        });
      },
    },
  };
};
