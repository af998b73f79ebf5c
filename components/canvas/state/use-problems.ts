"use client";

import { useDeferredValue, useMemo } from "react";
import type { Problem, Severity } from "@/lib/graph/problems/problem";
import { validateGraph } from "@/lib/graph/validate";
import { useCanvas, useDocument } from "./canvas-context";

/** What the shared validator says about the document; a moment behind while one types. */
export const useProblems = (): readonly Problem[] => {
  const document = useDeferredValue(useDocument());
  const catalog = useCanvas((state) => state.catalog);

  return useMemo(() => validateGraph(document, catalog), [document, catalog]);
};

/** The worst that is said about each node and edge. */
export const worstByPlace = (problems: readonly Problem[]): ReadonlyMap<string, Severity> => {
  const worst = new Map<string, Severity>();
  for (const { node, edge, severity } of problems) {
    const place = node === undefined ? `edge:${edge ?? ""}` : `node:${node}`;
    if (worst.get(place) !== "error") worst.set(place, severity);
  }

  return worst;
};
