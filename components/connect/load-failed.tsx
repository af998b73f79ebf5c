"use client";

import { apiError } from "@/components/trpc/api-error";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";

type Props = { readonly what: string; readonly error: unknown; readonly retry: () => unknown };

/** A list that could not be read, and the way to read it again. */
export const LoadFailed = ({ what, error, retry }: Props) => {
  const { message, requestId } = apiError(error);

  return (
    <EmptyState
      kind="failed"
      title={`${what} could not be read`}
      requestId={requestId}
      action={<Button onClick={() => void retry()}>Try again</Button>}
    >
      {message}
    </EmptyState>
  );
};
