"use client";

import { EmptyState } from "@/components/ui/empty-state";
import { Button } from "@/components/ui/button";

type Props = { readonly error: Error & { readonly digest?: string }; readonly reset: () => void };

const ErrorPage = ({ error, reset }: Props) => (
  <EmptyState
    isPage
    kind="failed"
    title="Couldn't load this page"
    requestId={error.digest}
    className="flex-1"
    action={<Button onClick={reset}>Try again</Button>}
  >
    The rest of Countersign still works. Nothing was changed.
  </EmptyState>
);

export default ErrorPage;
