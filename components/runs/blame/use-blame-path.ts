"use client";

import { useMemo } from "react";
import { parseAsInteger, parseAsString, useQueryState } from "nuqs";

export const useBlamePath = () => {
  const [path, setPath] = useQueryState("path", parseAsString.withOptions({ history: "push" }));
  const [, setAt] = useQueryState("t", parseAsInteger.withOptions({ history: "push" }));

  return useMemo(
    () => ({
      path,
      open: (next: string) => void setPath(next),
      close: () => void setPath(null),
      /** Leaves the panel for a record. */
      goTo: (seq: number) => {
        void setPath(null);
        void setAt(seq);
      },
    }),
    [path, setPath, setAt],
  );
};
