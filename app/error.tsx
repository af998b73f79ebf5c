"use client";

import { EmptyState } from "@/components/ui/empty-state";
import { Button } from "@/components/ui/button";

type Props = { readonly error: Error & { readonly digest?: string }; readonly reset: () => void };

const ErrorPage = ({ error, reset }: Props) => (
  <EmptyState
    isPage
    kind="failed"
    title="This page could not be shown"
    requestId={error.digest}
    className="flex-1"
    action={<Button onClick={reset}>Try again</Button>}
  >
    The rest of the product goes on working. Nothing was changed.
  </EmptyState>
);

export default ErrorPage;
