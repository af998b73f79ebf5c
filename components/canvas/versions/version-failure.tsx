import { toApiError } from "@/components/trpc/api-error";
import { EmptyState } from "@/components/ui/empty-state";

type Props = {
  readonly error: unknown;
  readonly title: string;
};

export const VersionFailure = ({ error, title }: Props) => {
  const { code, message, requestId } = toApiError(error);
  const isMissing = code === "not_found";

  return (
    <EmptyState
      kind={isMissing ? "no_match" : "failed"}
      title={isMissing ? "Version not found" : title}
      requestId={isMissing ? null : requestId}
    >
      {message}
    </EmptyState>
  );
};
