"use client";

import type { UseInfiniteQueryResult, UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { toApiError } from "@/components/trpc/api-error";
import { LoadFailed } from "./load-failed";
import { SkeletonRows } from "./skeleton";

type Props<Data> = {
  readonly query: UseQueryResult<Data, unknown> | UseInfiniteQueryResult<Data, unknown>;
  /** Follows "Couldn't load". */
  readonly what?: string;
  /** While it loads. */
  readonly rows?: number;
  readonly missing?: ReactNode;
  /** Around everything but the data. */
  readonly renderFrame?: (state: ReactNode) => ReactNode;
  readonly children: (data: Data) => ReactNode;
};

/** Data of a query, or its loading, failed, missing or forbidden state. Failed refetches keep data, unless forbidden. */
export const QueryState = <Data,>({
  query: { data, error, refetch },
  what,
  rows = 3,
  missing,
  renderFrame = (state) => state,
  children,
}: Props<Data>) => {
  if (data !== undefined && !(error && toApiError(error).code === "forbidden")) return children(data);

  return renderFrame(error ? <LoadFailed error={error} what={what} missing={missing} retry={refetch} /> : <SkeletonRows rows={rows} />);
};
