"use client";

import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { toApiError } from "@/components/trpc/api-error";
import { Button } from "./button";
import { EmptyState } from "./empty-state";
import { SkeletonRows } from "./skeleton";

type Props<Data> = { readonly query: UseQueryResult<Data, unknown>; readonly rows?: number; readonly children: (data: Data) => ReactNode };

/** Loading, failed or forbidden state of a query, or its data. */
export const QueryState = <Data,>({ query, rows = 3, children }: Props<Data>) => {
  if (query.data !== undefined) return children(query.data);
  if (!query.error) return <SkeletonRows rows={rows} />;

  const { code, message, requestId } = toApiError(query.error);
  if (code === "forbidden") return <EmptyState kind="not_permitted" title={message} className="py-8" />;

  return (
    <EmptyState
      kind="failed"
      title={message}
      requestId={requestId}
      className="py-8"
      action={
        <Button size="sm" onClick={() => void query.refetch()}>
          Try again
        </Button>
      }
    />
  );
};
