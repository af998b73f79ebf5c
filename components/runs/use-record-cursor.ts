"use client";

import { parseAsInteger, throttle, useQueryState } from "nuqs";
import { useMemo } from "react";

/** `visit`: an entry in the browser's history, as for a link. `pass`: none, as for a step among many. */
export type Way = "visit" | "pass";

export type RecordCursor = {
  readonly selected: number;
  /** Nobody has moved: the last record is selected, whichever it is. */
  readonly isFollowing: boolean;
  readonly select: (seq: number, way?: Way) => void;
  readonly follow: () => void;
  /** Stops following, on the record that is selected now. */
  readonly stay: () => void;
};

/** Browsers refuse to change the address more than some two hundred times in ten seconds; the screen does not wait for it. */
const ADDRESS_MS = 200;

/** Which record is looked at. It lives in the address (`?t=`); without it the end is followed. */
export const useRecordCursor = (count: number): RecordCursor => {
  const [at, setAt] = useQueryState("t", parseAsInteger.withOptions({ history: "replace", limitUrlUpdates: throttle(ADDRESS_MS) }));
  const last = Math.max(0, count - 1);
  const selected = at === null ? last : Math.min(Math.max(0, at), last);

  return useMemo(() => {
    const select = (to: number, way: Way = "pass") =>
      void setAt(Math.min(Math.max(0, to), last), way === "visit" ? { history: "push" } : {});

    return { selected, isFollowing: at === null, select, follow: () => void setAt(null), stay: () => select(selected) };
  }, [selected, at, last, setAt]);
};
