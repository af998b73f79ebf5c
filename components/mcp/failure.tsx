import type { ApiError } from "@/components/trpc/api-error";
import { Callout } from "@/components/ui/callout";

export const Failure = ({ failure }: { readonly failure: ApiError | null }) =>
  failure ? (
    <Callout kind="refused" alert title={failure.message}>
      {failure.requestId ? <span className="font-mono text-xs">Request {failure.requestId}</span> : null}
    </Callout>
  ) : null;
