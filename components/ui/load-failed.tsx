"use client";

import { toApiError } from "@/components/trpc/api-error";
import { Button } from "./button";
import { EmptyState } from "./empty-state";

type Props = { readonly what: string; readonly error: unknown; readonly retry: () => unknown };

/** Failed query with retry. @param props.what follows "Couldn't load" */
export const LoadFailed = ({ what, error, retry }: Props) => {
  const { message, requestId } = toApiError(error);

  return (
    <EmptyState
      kind="failed"
      title={`Couldn't load ${what}`}
      requestId={requestId}
      action={<Button onClick={() => void retry()}>Try again</Button>}
    >
      {message}
    </EmptyState>
  );
};
