"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ListTable } from "@/components/connect/list-table";
import { useTRPC } from "@/components/trpc/trpc";
import { Badge } from "@/components/ui/badge";
import { EmptyState } from "@/components/ui/empty-state";
import { Mark } from "@/components/ui/marks/mark";
import { RelativeTime } from "@/components/ui/relative-time";
import { TableCell, TableRow } from "@/components/ui/table";
import { ConfirmAction } from "@/components/ui/confirm-action";
import type { ListedInvite, ListedMember } from "@/server/store/people/members";
import { INVITE_STATUS } from "./words";

const COLUMNS = ["Address", "Role", "Status", "Invited by", "Made", "Expires"] as const;

type Props = { readonly invites: readonly ListedInvite[]; readonly members: readonly ListedMember[] };

/** Who was asked to come, the newest first. */
export const InviteTable = ({ invites, members }: Props) => {
  const trpc = useTRPC();
  const client = useQueryClient();
  const withdraw = useMutation(
    trpc.people.withdraw.mutationOptions({ onSettled: () => client.invalidateQueries({ queryKey: trpc.people.list.queryKey() }) }),
  );
  if (invites.length === 0) {
    return (
      <EmptyState kind="nothing_yet" title="Nobody was invited">
        An invite is a link for one person. It works once, for 72 hours, and gives the role that you choose.
      </EmptyState>
    );
  }
  const nameOf = (id: string) => members.find((member) => member.id === id)?.name ?? "somebody";

  return (
    <ListTable label="Invites" columns={COLUMNS} hasActions>
      {invites.map((invite) => (
        <TableRow key={invite.id}>
          <TableCell className="max-w-80 truncate" title={invite.email}>
            {invite.email}
          </TableCell>
          <TableCell className="whitespace-nowrap">
            {invite.role}
            {invite.auditor ? <Badge className="ml-2">auditor</Badge> : null}
          </TableCell>
          <TableCell>
            <Mark kind={INVITE_STATUS[invite.status].kind}>{INVITE_STATUS[invite.status].label}</Mark>
          </TableCell>
          <TableCell className="whitespace-nowrap">{nameOf(invite.createdBy)}</TableCell>
          <TableCell className="whitespace-nowrap text-muted">
            <RelativeTime at={invite.createdAt} />
          </TableCell>
          <TableCell className="whitespace-nowrap text-muted">
            <RelativeTime at={invite.expiresAt} />
          </TableCell>
          <TableCell className="text-right">
            {invite.status === "open" ? (
              <ConfirmAction
                label="Withdraw…"
                title={`Withdraw the invite for ${invite.email}?`}
                consequence="Its link lets nobody in any more. There is no way back, but you can invite again."
                confirm="Withdraw"
                pending="Committing…"
                disabledReason={null}
                act={() => withdraw.mutateAsync({ invite_id: invite.id })}
              />
            ) : null}
          </TableCell>
        </TableRow>
      ))}
    </ListTable>
  );
};
