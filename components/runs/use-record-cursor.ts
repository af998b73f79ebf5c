"use client";

import { parseAsInteger, throttle, useQueryState } from "nuqs";
import { useMemo } from "react";

/** `visit` adds a history entry; `pass` does not. */
export type HistoryMode = "visit" | "pass";

export type RecordCursor = {
  readonly selected: number;
  readonly isFollowing: boolean;
  readonly select: (seq: number, mode?: HistoryMode) => void;
  readonly follow: () => void;
  readonly stay: () => void;
};

/** Browsers reject more than about 200 updates in ten seconds. */
const ADDRESS_MS = 200;

/** Selected record in the URL (`?t=`); absent: follows the last. */
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
