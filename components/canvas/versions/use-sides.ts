"use client";

import { useQueries } from "@tanstack/react-query";
import { useMemo } from "react";
import { useCanvas, useDocument } from "@/components/canvas/state/canvas-context";
import { useTRPC } from "@/components/trpc/trpc";
import { DRAFT, toDraftSide, type Side, type Sides } from "./sides";

type Found = { readonly error: unknown; readonly before: Side | null; readonly after: Side | null };

export const useSides = ({ before, after }: Sides): Found => {
  const trpc = useTRPC();
  const draft = useDocument();
  const catalog = useCanvas((state) => state.catalog);
  const hashes = [before, after];
  const [first, second] = useQueries({
    queries: hashes.map((hash) => trpc.graphs.version.queryOptions({ hash }, { enabled: hash !== DRAFT, staleTime: Infinity })),
  });
  const [one, other] = [first?.data, second?.data];
  const sides = useMemo(() => {
    const sideOf = (name: string, version: typeof one): Side | null => {
      if (name === DRAFT) return toDraftSide(draft, catalog);

      return version ? { name: `version ${version.number}`, published: version.published } : null;
    };

    return { before: sideOf(before, one), after: sideOf(after, other) };
  }, [before, after, one, other, draft, catalog]);

  return { ...sides, error: first?.error ?? second?.error ?? null };
};
