import { apiError } from "@/components/trpc/api-error";
import { Callout } from "@/components/ui/callout";

/** Why something about an endpoint was not done, beside what it was about. */
export const Failure = ({ error }: { readonly error: unknown }) => {
  if (!error) return null;
  const { message, requestId } = apiError(error);

  return (
    <Callout kind="refused" alert title={message}>
      {requestId ? <span className="font-mono text-xs">Request {requestId}</span> : null}
    </Callout>
  );
};
