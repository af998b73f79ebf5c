"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";
import type { AuthorityChange } from "@/lib/architect/authority-diff";

const lineOf = (base: { readonly number: number } | null, changes: readonly AuthorityChange[]): string => {
  if (base === null) return "First version";
  const wider = changes.filter(({ direction }) => direction === "wider");
  const narrower = changes.filter(({ direction }) => direction === "narrower");
  const [first] = [...wider, ...narrower];
  if (!first) return "No authority change";
  const more = changes.length > 1 ? `, and ${changes.length - 1} more` : "";

  return `${wider.length > 0 ? "More" : "Less"}: ${first.text}${more}`;
};

export const AuthorityLine = ({ hash }: { readonly hash: string }) => {
  const found = useQuery(useTRPC().graphs.versionChanges.queryOptions({ hash }, { staleTime: Infinity }));
  const text = found.data ? lineOf(found.data.base, found.data.changes) : found.isError ? "Could not compare authority" : "…";

  return (
    <p className="truncate text-xs text-muted" title={text}>
      {text}
    </p>
  );
};
