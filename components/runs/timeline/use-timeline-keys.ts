"use client";

import { useMemo } from "react";
import { useShortcuts } from "@/components/shortcuts/use-shortcuts";
import type { Shortcut } from "@/components/shortcuts/registry";

const GROUP = "Records";

export type TimelineActions = {
  readonly step: (by: 1 | -1) => void;
  readonly interesting: (by: 1 | -1) => void;
  readonly first: () => void;
  readonly follow: () => void;
  readonly play: () => void;
  readonly nextRefusal: () => void;
  readonly pin: () => void;
  readonly change: (by: 1 | -1) => void;
  readonly diff: () => void;
  readonly copyLink: () => void;
  readonly fork: () => void;
};

/** Buttons and links use Space; tabs and selects use arrows. */
const isFree = (): boolean => document.activeElement?.matches("button, a, summary, [role='switch'], [role='checkbox']") !== true;
const hasNoArrows = (): boolean => document.activeElement?.matches("[role='tab'], [role='combobox'], [role='radio']") !== true;

/** @param actions memoise them */
export const useTimelineKeys = (actions: TimelineActions): void => {
  const shortcuts = useMemo(
    (): readonly Shortcut[] => [
      { keys: ["ArrowRight"], alsoKeys: ["j"], label: "Next record", group: GROUP, when: hasNoArrows, run: () => actions.step(1) },
      { keys: ["ArrowLeft"], alsoKeys: ["k"], label: "Previous record", group: GROUP, when: hasNoArrows, run: () => actions.step(-1) },
      { keys: ["ArrowDown"], label: "Next record", group: GROUP, when: hasNoArrows, run: () => actions.step(1) },
      { keys: ["ArrowUp"], label: "Previous record", group: GROUP, when: hasNoArrows, run: () => actions.step(-1) },
      { keys: ["Shift+ArrowRight"], label: "Next notable record", group: GROUP, run: () => actions.interesting(1) },
      { keys: ["Shift+ArrowLeft"], label: "Previous notable record", group: GROUP, run: () => actions.interesting(-1) },
      { keys: ["r"], label: "Next refusal", group: GROUP, run: actions.nextRefusal },
      { keys: ["Home"], label: "First record", group: GROUP, run: actions.first },
      { keys: ["End"], label: "Last record, follow new ones", group: GROUP, run: actions.follow },
      { keys: [" "], label: "Play or pause", group: GROUP, when: isFree, run: actions.play },
      { keys: ["p"], label: "Pin or unpin the written path", group: GROUP, run: actions.pin },
      { keys: ["n"], label: "Next change to a pinned path", group: GROUP, run: () => actions.change(1) },
      { keys: ["Shift+n"], label: "Previous change to a pinned path", group: GROUP, run: () => actions.change(-1) },
      { keys: ["d"], label: "Show changes only, or both panes", group: GROUP, run: actions.diff },
      { keys: ["f"], label: "Fork from this record", group: GROUP, run: actions.fork },
      { keys: ["y"], label: "Copy link to this record", group: GROUP, run: actions.copyLink },
    ],
    [actions],
  );
  useShortcuts(shortcuts);
};
