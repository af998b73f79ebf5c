"use client";

import { Avatar } from "@/components/account/avatar";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ListTable, MUTED, timeColumn, WIDE, type Column } from "@/components/ui/list-table";
import { Mark } from "@/components/ui/marks/mark";
import { describeSignIn, type ShownMember } from "./labels";
import { StandingText } from "./standing-text";

const listColumns = (me: string): readonly Column<ShownMember>[] => [
  {
    name: "Name",
    className: "max-w-80",
    cell: ({ id, name, email }) => (
      <div className="flex items-center gap-2">
        <Avatar name={name} />
        <div className="min-w-0">
          <span className="block truncate font-medium">
            {name}
            {id === me ? <span className="font-normal text-muted"> (you)</span> : null}
          </span>
          <span className="block truncate text-xs text-muted" title={email}>
            {email}
          </span>
        </div>
      </div>
    ),
  },
  {
    name: "Role",
    className: "whitespace-nowrap",
    cell: ({ role, auditor }) => <StandingText role={role} auditor={auditor} />,
  },
  {
    name: "Access",
    className: "whitespace-nowrap",
    cell: ({ disabledAt }) => (disabledAt === null ? <Mark kind="clean">Active</Mark> : <Mark kind="refused">Disabled</Mark>),
  },
  { name: "Sign-in", headerClassName: WIDE, className: `text-xs text-muted ${WIDE}`, cell: describeSignIn },
  { ...timeColumn<ShownMember>("Last seen", ({ seenAt }) => seenAt, "not recently"), headerClassName: WIDE, className: `${MUTED} ${WIDE}` },
  { name: "Sessions", headerClassName: WIDE, className: `tabular text-muted ${WIDE}`, cell: ({ sessions }) => sessions },
  {
    name: "Passkeys",
    className: `tabular ${MUTED}`,
    cell: ({ passkeys, passkeyAllowedUntil }) => (
      <>
        {passkeys}
        {passkeyAllowedUntil === null ? null : <Badge className="ml-2">new passkey allowed</Badge>}
      </>
    ),
  },
];

type Props = { readonly members: readonly ShownMember[]; readonly me: string; readonly onChoose: (id: string) => void };

export const MemberTable = ({ members, me, onChoose }: Props) => (
  <ListTable
    label="People"
    columns={listColumns(me)}
    rows={members}
    rowKey={({ id }) => id}
    renderActions={({ id, name }) => (
      <Button size="sm" variant="ghost" aria-label={`Manage ${name}`} onClick={() => onChoose(id)}>
        Manage…
      </Button>
    )}
  />
);
