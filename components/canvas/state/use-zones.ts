"use client";

import { useDeferredValue, useMemo } from "react";
import { integritiesIn } from "@/lib/graph/analyse";
import type { Integrity } from "@/lib/graph/label";
import { useCanvas, useDocument } from "./canvas-context";

/** How far what each node writes may be trusted, at its worst; a moment behind while one types. */
export const useZones = (): ReadonlyMap<string, Integrity> => {
  const document = useDeferredValue(useDocument());
  const catalog = useCanvas((state) => state.catalog);

  return useMemo(() => integritiesIn(document, catalog), [document, catalog]);
};
