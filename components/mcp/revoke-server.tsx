"use client";

import { ConfirmAction } from "@/components/ui/confirm-action";
import type { ServerView } from "@/server/trpc/routers/mcp/view";
import { ImpactLine } from "./impact-line";
import { useRegistry } from "./use-registry";

type Props = { readonly server: ServerView; readonly reason: string | null };

export const RevokeServer = ({ server: { id, name, revision }, reason }: Props) => {
  const { act } = useRegistry();

  return (
    <ConfirmAction
      label="Revoke…"
      title={`Revoke ${name}?`}
      consequence="Its next call is refused and its process is stopped. Runs that need its tools can't continue. This can't be undone."
      confirm="Revoke server"
      pending="Revoking…"
      done="Server revoked."
      disabledReason={reason}
      act={() => act({ type: "revoke", id, revision })}
    >
      <ImpactLine id={id} />
    </ConfirmAction>
  );
};
