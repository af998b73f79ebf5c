"use client";

import { parseAsInteger, useQueryState } from "nuqs";
import { useMemo } from "react";
import { useShortcuts } from "@/components/shell/shortcuts/use-shortcuts";

export type RecordCursor = {
  readonly selected: number;
  /** Nobody has moved: the last record is selected, whichever it is. */
  readonly isFollowing: boolean;
  readonly select: (seq: number) => void;
  readonly follow: () => void;
  /** Stops following, on the record that is selected now. */
  readonly stay: () => void;
};

const GROUP = "Records";

/** Which record is looked at. It lives in the address (`?t=`); without it the end is followed. */
export const useRecordCursor = (count: number): RecordCursor => {
  const [at, setAt] = useQueryState("t", parseAsInteger.withOptions({ history: "replace" }));
  const last = Math.max(0, count - 1);
  const selected = at === null ? last : Math.min(Math.max(0, at), last);
  const actions = useMemo(() => {
    const move = (to: number) => void setAt(Math.min(Math.max(0, to), last));

    return {
      select: move,
      follow: () => void setAt(null),
      stay: () => move(selected),
      next: () => move(selected + 1),
      previous: () => move(selected - 1),
      first: () => move(0),
    };
  }, [last, selected, setAt]);
  const shortcuts = useMemo(
    () => [
      { keys: ["j"], label: "Next record", group: GROUP, run: actions.next },
      { keys: ["ArrowDown"], label: "Next record", group: GROUP, run: actions.next },
      { keys: ["k"], label: "Previous record", group: GROUP, run: actions.previous },
      { keys: ["ArrowUp"], label: "Previous record", group: GROUP, run: actions.previous },
      { keys: ["Home"], label: "First record", group: GROUP, run: actions.first },
      { keys: ["End"], label: "Last record, and follow", group: GROUP, run: actions.follow },
    ],
    [actions],
  );
  useShortcuts(shortcuts);

  return { selected, isFollowing: at === null, select: actions.select, follow: actions.follow, stay: actions.stay };
};
