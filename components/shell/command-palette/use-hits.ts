"use client";

import { useQuery } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import { useRouter } from "next/navigation";
import { useEffect, useMemo, useState } from "react";
import { useTRPC } from "@/components/trpc/trpc";
import type { AppRouter } from "@/server/trpc/root";
import type { Item } from "./items";

type Hit = inferRouterOutputs<AppRouter>["search"]["find"][number];

const GROUPS = {
  graph: "Graphs",
  run: "Runs",
  record: "Records",
  approval: "Approvals",
  server: "MCP servers",
  person: "People",
} as const satisfies Record<Hit["kind"], string>;

const PAUSE_MS = 150;
const SHORTEST = 2;

/** The text once unchanged for a moment. */
const useSettled = (text: string): string => {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);

    return () => clearTimeout(timer);
  }, [text]);

  return settled;
};

/** Workspace objects the text names, as palette items. */
export const useHits = (typed: string): { readonly items: readonly Item[]; readonly isSearching: boolean; readonly failed: boolean } => {
  const trpc = useTRPC();
  const router = useRouter();
  const text = typed.trim();
  const settled = useSettled(text);
  const isAsked = settled.length >= SHORTEST && !settled.startsWith("@");
  const query = useQuery(trpc.search.find.queryOptions({ text: settled }, { enabled: isAsked, retry: false }));
  // Hits of an earlier text would be chosen by mistake.
  const hits = isAsked && settled === text ? query.data : undefined;
  const items = useMemo(
    () =>
      (hits ?? []).map(({ kind, id, label, about, href }): Item => ({
        id: `hit ${kind} ${id}`,
        label,
        about,
        group: GROUPS[kind],
        keys: [],
        reason: null,
        run: () => router.push(href),
      })),
    [hits, router],
  );

  return {
    items,
    isSearching: text.length >= SHORTEST && !text.startsWith("@") && hits === undefined && !query.isError,
    failed: query.isError,
  };
};
