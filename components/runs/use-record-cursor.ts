"use client";

import { parseAsInteger, throttle, useQueryState } from "nuqs";
import { useMemo } from "react";

/** `visit` adds a history entry, as for a link; `pass` does not, as for single steps. */
export type HistoryMode = "visit" | "pass";

export type RecordCursor = {
  readonly selected: number;
  /** Whether the last record is selected automatically. */
  readonly isFollowing: boolean;
  readonly select: (seq: number, mode?: HistoryMode) => void;
  readonly follow: () => void;
  /** Stops following at the selected record. */
  readonly stay: () => void;
};

/** Throttles URL updates, because browsers reject more than about 200 in ten seconds. */
const ADDRESS_MS = 200;

/** The selected record, stored in the URL (`?t=`); without it, the last record is followed. */
export const useRecordCursor = (count: number): RecordCursor => {
  const [at, setAt] = useQueryState("t", parseAsInteger.withOptions({ history: "replace", limitUrlUpdates: throttle(ADDRESS_MS) }));
  const last = Math.max(0, count - 1);
  const selected = at === null ? last : Math.min(Math.max(0, at), last);

  return useMemo(() => {
    const select = (to: number, mode: HistoryMode = "pass") =>
      void setAt(Math.min(Math.max(0, to), last), mode === "visit" ? { history: "push" } : {});

    return { selected, isFollowing: at === null, select, follow: () => void setAt(null), stay: () => select(selected) };
  }, [selected, at, last, setAt]);
};
