"use client";

import { useMemo } from "react";
import { useShortcuts } from "@/components/shortcuts/use-shortcuts";
import type { QueueRow } from "@/components/approvals/types";
import { getRowLinkId } from "./queue-row";

type Keys = {
  readonly rows: readonly QueueRow[];
  readonly current: string | null;
  readonly onOpen: (id: string) => void;
  readonly onStep: (index: number, id: string) => void;
  readonly onSelect: (id: string, isRange: boolean) => void;
  /** Snoozes, or ends a snooze. */
  readonly onAside: (row: QueueRow) => void;
  readonly onMore: (() => void) | null;
};

/** Enter belongs to the focused control, except on rows or the page. */
const isAtRest = (current: string | null): boolean => {
  const { activeElement } = document;

  return activeElement === null || activeElement === document.body || (current !== null && activeElement.id === getRowLinkId(current));
};

export const useQueueKeys = ({ rows, current, onOpen, onStep, onSelect, onAside, onMore }: Keys): void => {
  const shortcuts = useMemo(() => {
    const step = (by: 1 | -1) => {
      const at = rows.findIndex(({ id }) => id === current);
      const to = at < 0 ? 0 : Math.min(Math.max(at + by, 0), rows.length - 1);
      const next = rows[to];
      if (by > 0 && at === rows.length - 1) onMore?.();
      if (next) onStep(to, next.id);
    };
    const row = rows.find(({ id }) => id === current);
    const open = row?.status === "open";
    const toggle = (isRange: boolean) => () => {
      if (current !== null && open) onSelect(current, isRange);
    };
    const noRow = () => (current === null ? "Choose a row with j or k first" : null);
    const notOpen = () => noRow() ?? (open ? null : "Already decided");

    return [
      { keys: ["j"], label: "Next approval", group: "Queue", run: () => step(1) },
      { keys: ["k"], label: "Previous approval", group: "Queue", run: () => step(-1) },
      {
        keys: ["Enter"],
        label: "Open approval",
        group: "Queue",
        whyNot: noRow,
        when: () => isAtRest(current),
        run: () => {
          if (current !== null) onOpen(current);
        },
      },
      { keys: ["x"], label: "Select approval", group: "Queue", whyNot: notOpen, run: toggle(false) },
      { keys: ["Shift+x"], label: "Select up to here", group: "Queue", whyNot: notOpen, run: toggle(true) },
      {
        keys: ["s"],
        label: row?.aside ? "Show again" : "Snooze",
        group: "Queue",
        whyNot: notOpen,
        run: () => {
          if (row && open) onAside(row);
        },
      },
    ];
  }, [rows, current, onOpen, onStep, onSelect, onAside, onMore]);
  useShortcuts(shortcuts);
};
