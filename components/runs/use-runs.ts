"use client";

import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { createSerializer, parseAsBoolean, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useTRPC } from "@/components/trpc/trpc";
import { isTerminal, RUN_STATUSES } from "@/lib/engine/event";
import { RUN_DURATIONS, runFilterSchema, type RunFilter } from "@/lib/engine/run-filter";
import type { RunListRow } from "./types";

const REFRESH_MS = 3_000;

const IN_ADDRESS = {
  status: parseAsStringLiteral(RUN_STATUSES),
  graph: parseAsString.withDefault(""),
  active: parseAsBoolean.withDefault(false),
  waiting: parseAsBoolean.withDefault(false),
  nearBudget: parseAsBoolean.withDefault(false),
  refused: parseAsBoolean.withDefault(false),
  simulated: parseAsBoolean,
  mine: parseAsBoolean.withDefault(false),
  from: parseAsString,
  to: parseAsString,
  took: parseAsStringLiteral(RUN_DURATIONS),
  model: parseAsString,
  environment: parseAsString,
  text: parseAsString.withDefault(""),
};

const NO_FILTER: RunFilter = runFilterSchema.parse({});

const cursorOf = (run: RunListRow | undefined): string | null => (run ? `${run.createdAt}.${run.id}` : null);

const serialize = createSerializer(IN_ADDRESS);

const useRunFilter = () => {
  const [address, setAddress] = useQueryStates(IN_ADDRESS, { history: "push" });
  const { graph, ...rest } = address;
  const filter = runFilterSchema.safeParse({ ...rest, graphId: graph === "" ? null : graph }).data ?? NO_FILTER;
  const setFilter = ({ graphId, ...change }: Partial<RunFilter>) =>
    void setAddress({ ...change, ...(graphId === undefined ? {} : { graph: graphId ?? "" }) });

  return { filter, setFilter, search: serialize(address), clear: () => void setAddress(null) };
};

const useStandings = (filter: RunFilter, rows: readonly RunListRow[], isLoaded: boolean) => {
  const trpc = useTRPC();
  const ids = rows.filter(({ status }) => !isTerminal(status)).map(({ id }) => id);
  const now = useQuery({
    ...trpc.runs.now.queryOptions({ ...filter, ids: ids.slice(0, 500), since: cursorOf(rows[0]) }),
    enabled: isLoaded,
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  });
  const standing = new Map(now.data?.runs.map((run) => [run.id, run]));

  return { rows: rows.map((row) => standing.get(row.id) ?? row), newer: now.data?.newer ?? 0 };
};

export const useRuns = () => {
  const trpc = useTRPC();
  const { filter, setFilter, search, clear } = useRunFilter();
  const query = useInfiniteQuery(
    trpc.runs.list.infiniteQueryOptions(filter, { getNextPageParam: (page) => page.nextCursor ?? undefined, refetchOnWindowFocus: false }),
  );
  const loaded = query.data?.pages.flatMap((page) => page.runs) ?? [];
  const { rows, newer } = useStandings(filter, loaded, query.isSuccess);
  const isFiltered = JSON.stringify(filter) !== JSON.stringify(NO_FILTER);

  return { filter, setFilter, search, clear, isFiltered, query, rows, newer };
};

export type Runs = ReturnType<typeof useRuns>;
