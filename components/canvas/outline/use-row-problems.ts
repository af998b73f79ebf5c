"use client";

import { useMemo } from "react";
import { useCanvas } from "@/components/canvas/state/canvas-context";
import type { Problem } from "@/lib/graph/problems/problem";
import type { Row } from "./rows";

const NONE: readonly Problem[] = [];

export const useRowProblems = (): ((row: Row) => readonly Problem[]) => {
  const problems = useCanvas((state) => state.findings.problems);

  return useMemo(() => {
    const byKey = Map.groupBy(problems, ({ node, edge }) => (node === undefined ? `edge:${edge ?? ""}` : `node:${node}`));

    return (row) => byKey.get(row.key) ?? NONE;
  }, [problems]);
};
