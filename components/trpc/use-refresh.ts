"use client";

import { useQueryClient, type QueryFilters } from "@tanstack/react-query";

/** @returns a function that fetches the queries of `filter` again */
export const useRefresh = (filter: QueryFilters) => {
  const client = useQueryClient();

  return () => client.invalidateQueries(filter);
};
