import { toApiError } from "@/components/trpc/api-error";
import { Callout } from "./callout";

export const Failure = ({ error }: { readonly error: unknown }) => {
  if (!error) return null;
  const { message, requestId } = toApiError(error);

  return (
    <Callout kind="refused" alert title={message}>
      {requestId ? <span className="font-mono text-xs">Request {requestId}</span> : null}
    </Callout>
  );
};
