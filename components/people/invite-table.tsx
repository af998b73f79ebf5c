"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ListTable } from "@/components/ui/list-table";
import { useTRPC } from "@/components/trpc/trpc";
import { Badge } from "@/components/ui/badge";
import { EmptyState } from "@/components/ui/empty-state";
import { Mark } from "@/components/ui/marks/mark";
import { RelativeTime } from "@/components/ui/relative-time";
import { TableCell, TableRow } from "@/components/ui/table";
import { ConfirmAction } from "@/components/ui/confirm-action";
import type { ListedInvite, ListedMember } from "@/server/store/people/members";
import { INVITE_STATUS } from "./labels";

const COLUMNS = ["Address", "Role", "Status", "Invited by", "Created", "Expires"] as const;

type Props = { readonly invites: readonly ListedInvite[]; readonly members: readonly ListedMember[] };

/** Invites, newest first. */
export const InviteTable = ({ invites, members }: Props) => {
  const trpc = useTRPC();
  const client = useQueryClient();
  const withdraw = useMutation(
    trpc.people.withdraw.mutationOptions({ onSettled: () => client.invalidateQueries({ queryKey: trpc.people.list.queryKey() }) }),
  );
  if (invites.length === 0) {
    return (
      <EmptyState kind="nothing_yet" title="No invites yet">
        An invite is a one-time link for one person, valid for 72 hours, with the role you select.
      </EmptyState>
    );
  }
  const nameOf = (id: string) => members.find((member) => member.id === id)?.name ?? "Unknown";

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
                consequence="Its link stops working. You can send a new invite later."
                confirm="Withdraw"
                pending="Committing…"
                disabledReason={null}
                act={() => withdraw.mutateAsync({ inviteId: invite.id })}
              />
            ) : null}
          </TableCell>
        </TableRow>
      ))}
    </ListTable>
  );
};
