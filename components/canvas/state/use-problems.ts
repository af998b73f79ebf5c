"use client";

import type { Problem, Severity } from "@/lib/graph/problems/problem";
import { useCanvas } from "./canvas-context";

/** Findings of the shared validator; slightly stale while typing. */
export const useProblems = (): readonly Problem[] => useCanvas((state) => state.findings.problems);

export const rankWorstByPlace = (problems: readonly Problem[]): ReadonlyMap<string, Severity> => {
  const worst = new Map<string, Severity>();
  for (const { node, edge, severity } of problems) {
    const place = node === undefined ? `edge:${edge ?? ""}` : `node:${node}`;
    if (worst.get(place) !== "error") worst.set(place, severity);
  }

  return worst;
};
