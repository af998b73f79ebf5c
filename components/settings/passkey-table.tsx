"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import { ListTable } from "@/components/ui/list-table";
import { Revoke } from "@/components/ui/revoke";
import { useTRPC } from "@/components/trpc/trpc";
import { RelativeTime } from "@/components/ui/relative-time";
import { TableCell, TableRow } from "@/components/ui/table";
import type { AppRouter } from "@/server/trpc/root";
import { RenamePasskey } from "./rename-passkey";

type Passkey = inferRouterOutputs<AppRouter>["passkeys"]["list"]["passkeys"][number];

const COLUMNS = ["Name", "Site", "Credential", "Added", "Last used"] as const;
const SHOWN_CHARACTERS = 8;

const Row = ({ passkey }: { readonly passkey: Passkey }) => {
  const { credentialId, label, rpId, origin, createdAt, lastUsedAt, revokedAt } = passkey;
  const trpc = useTRPC();
  const queries = useQueryClient();
  const revoke = useMutation(trpc.passkeys.revoke.mutationOptions());

  return (
    <TableRow>
      <TableCell className="max-w-72 truncate" title={label}>
        {label}
      </TableCell>
      <TableCell className="font-mono text-xs">{origin ?? rpId}</TableCell>
      <TableCell className="font-mono text-xs" title={credentialId}>
        {credentialId.slice(0, SHOWN_CHARACTERS)}
      </TableCell>
      <TableCell className="whitespace-nowrap text-muted">
        <RelativeTime at={createdAt} />
      </TableCell>
      <TableCell className="whitespace-nowrap text-muted">{lastUsedAt === null ? "Never" : <RelativeTime at={lastUsedAt} />}</TableCell>
      <TableCell className="text-right whitespace-nowrap">
        {revokedAt === null ? (
          <>
            <RenamePasskey credentialId={credentialId} label={label} />
            <Revoke
              title={`Revoke ${label}`}
              consequence="It can't sign anything here any more and can't be added again. Its existing signatures stay valid."
              done={`${label} revoked`}
              disabledReason={null}
              revoke={async () => {
                await revoke.mutateAsync({ credentialId });
                await queries.invalidateQueries(trpc.passkeys.pathFilter());
              }}
            />
          </>
        ) : (
          <span className="text-xs text-muted">
            Revoked <RelativeTime at={revokedAt} />
          </span>
        )}
      </TableCell>
    </TableRow>
  );
};

/** Own passkeys; signatures of revoked ones stay valid. */
export const PasskeyTable = ({ passkeys }: { readonly passkeys: readonly Passkey[] }) => (
  <ListTable label="Your passkeys" columns={COLUMNS} hasActions>
    {passkeys.map((passkey) => (
      <Row key={passkey.credentialId} passkey={passkey} />
    ))}
  </ListTable>
);
