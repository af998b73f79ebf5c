"use client";

import { useQueryClient, type QueryFilters } from "@tanstack/react-query";

/** @returns a function that refetches the queries of `filter` */
export const useRefresh = (filter: QueryFilters) => {
  const client = useQueryClient();

  return () => client.invalidateQueries(filter);
};
