"use client";

import { useMutation } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";
import { useRefresh } from "@/components/trpc/use-refresh";
import { ConfirmAction } from "@/components/ui/confirm-action";
import { EmptyState } from "@/components/ui/empty-state";
import { ListTable, timeColumn, type Column } from "@/components/ui/list-table";
import { Mark } from "@/components/ui/marks/mark";
import type { ListedInvite, ListedMember } from "@/server/store/people/members";
import { INVITE_STATUS } from "./labels";
import { StandingText } from "./standing-text";

const listColumns = (nameOf: (id: string) => string): readonly Column<ListedInvite>[] => [
  { name: "Address", className: "max-w-80 truncate", hover: ({ email }) => email, cell: ({ email }) => email },
  {
    name: "Role",
    className: "whitespace-nowrap",
    cell: ({ role, auditor }) => <StandingText role={role} auditor={auditor} />,
  },
  { name: "Status", cell: ({ status }) => <Mark kind={INVITE_STATUS[status].kind}>{INVITE_STATUS[status].label}</Mark> },
  { name: "Invited by", className: "whitespace-nowrap", cell: ({ createdBy }) => nameOf(createdBy) },
  timeColumn("Created", ({ createdAt }) => createdAt),
  timeColumn("Expires", ({ expiresAt }) => expiresAt),
];

const NONE = (
  <EmptyState kind="nothing_yet" title="No invites yet">
    An invite is a one-time link for one person, valid for 72 hours, with the role you select.
  </EmptyState>
);

type Props = { readonly invites: readonly ListedInvite[]; readonly members: readonly ListedMember[] };

export const InviteTable = ({ invites, members }: Props) => {
  const trpc = useTRPC();
  const withdraw = useMutation(trpc.people.withdraw.mutationOptions({ onSettled: useRefresh(trpc.people.list.queryFilter()) }));

  return (
    <ListTable
      label="Invites"
      columns={listColumns((id) => members.find((member) => member.id === id)?.name ?? "Unknown")}
      rows={invites}
      rowKey={({ id }) => id}
      renderActions={({ id, email, status }) =>
        status === "open" ? (
          <ConfirmAction
            label="Withdraw…"
            title={`Withdraw the invite for ${email}?`}
            consequence="Its link stops working. You can send a new invite later."
            confirm="Withdraw"
            pending="Committing…"
            disabledReason={null}
            act={() => withdraw.mutateAsync({ inviteId: id })}
          />
        ) : null
      }
      empty={NONE}
    />
  );
};
