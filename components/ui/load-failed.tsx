"use client";

import type { ReactNode } from "react";
import { toApiError } from "@/components/trpc/api-error";
import { Button } from "./button";
import { EmptyState } from "./empty-state";

type Props = {
  readonly error: unknown;
  /** Follows "Couldn't load". */
  readonly what?: string | undefined;
  readonly missing?: ReactNode;
  readonly retry: () => unknown;
};

export const LoadFailed = ({ error, what, missing, retry }: Props) => {
  const { code, message, requestId } = toApiError(error);
  if (code === "forbidden") return <EmptyState kind="not_permitted" title={message} className="py-8" />;
  if (missing && (code === "not_found" || code === "bad_request")) return missing;

  return (
    <EmptyState
      kind="failed"
      title={what === undefined ? message : `Couldn't load ${what}`}
      requestId={requestId}
      className="py-8"
      action={
        <Button size="sm" onClick={() => void retry()}>
          Try again
        </Button>
      }
    >
      {what === undefined ? null : message}
    </EmptyState>
  );
};
