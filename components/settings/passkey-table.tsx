"use client";

import { useMutation } from "@tanstack/react-query";
import type { Outputs } from "@/components/trpc/outputs";
import { useTRPC } from "@/components/trpc/trpc";
import { useRefresh } from "@/components/trpc/use-refresh";
import { ConfirmAction } from "@/components/ui/confirm-action";
import { EmptyState } from "@/components/ui/empty-state";
import { ListTable, timeColumn, type Column } from "@/components/ui/list-table";
import { RelativeTime } from "@/components/ui/relative-time";
import { RenamePasskey } from "./rename-passkey";

type Passkey = Outputs["passkeys"]["list"]["passkeys"][number];

const SHOWN_CHARACTERS = 8;

const COLUMNS: readonly Column<Passkey>[] = [
  { name: "Name", className: "max-w-72 truncate", hover: ({ label }) => label, cell: ({ label }) => label },
  { name: "Site", className: "font-mono text-xs", cell: ({ origin, rpId }) => origin ?? rpId },
  {
    name: "Credential",
    className: "font-mono text-xs",
    hover: ({ credentialId }) => credentialId,
    cell: ({ credentialId }) => credentialId.slice(0, SHOWN_CHARACTERS),
  },
  timeColumn("Added", ({ createdAt }) => createdAt),
  timeColumn("Last used", ({ lastUsedAt }) => lastUsedAt, "Never"),
];

const NONE = (
  <EmptyState kind="nothing_yet" title="No passkeys yet">
    Add one to sign approvals that require a passkey. The private key stays on your device or security key.
  </EmptyState>
);

const Actions = ({ passkey: { credentialId, label, revokedAt } }: { readonly passkey: Passkey }) => {
  const trpc = useTRPC();
  const revoke = useMutation(trpc.passkeys.revoke.mutationOptions({ onSuccess: useRefresh(trpc.passkeys.pathFilter()) }));
  if (revokedAt !== null) {
    return (
      <span className="text-xs text-muted">
        Revoked <RelativeTime at={revokedAt} />
      </span>
    );
  }

  return (
    <>
      <RenamePasskey credentialId={credentialId} label={label} />
      <ConfirmAction
        label="Revoke…"
        name={`Revoke ${label}`}
        buttonSize="sm"
        title={`Revoke ${label}?`}
        consequence="It can't sign anything here any more and can't be added again. Its existing signatures stay valid."
        confirm="Revoke"
        pending="Revoking…"
        done={`${label} revoked`}
        disabledReason={null}
        act={() => revoke.mutateAsync({ credentialId })}
      />
    </>
  );
};

/** Own passkeys; signatures of revoked ones stay valid. */
export const PasskeyTable = ({ passkeys }: { readonly passkeys: readonly Passkey[] }) => (
  <ListTable
    label="Your passkeys"
    columns={COLUMNS}
    rows={passkeys}
    rowKey={({ credentialId }) => credentialId}
    renderActions={(passkey) => <Actions passkey={passkey} />}
    empty={NONE}
  />
);
