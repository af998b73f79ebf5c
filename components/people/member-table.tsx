"use client";

import { ListTable } from "@/components/ui/list-table";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Mark } from "@/components/ui/marks/mark";
import { RelativeTime } from "@/components/ui/relative-time";
import { TableCell, TableRow } from "@/components/ui/table";
import { Avatar } from "@/components/account/avatar";
import { describeSignIn, type ShownMember } from "./labels";

const COLUMNS = ["Name", "Role", "Access", "Sign-in", "Last seen", "Sessions", "Passkeys"] as const;

type Props = { readonly members: readonly ShownMember[]; readonly me: string; readonly onChoose: (id: string) => void };

export const MemberTable = ({ members, me, onChoose }: Props) => (
  <ListTable label="People" columns={COLUMNS} hasActions>
    {members.map((member) => (
      <TableRow key={member.id}>
        <TableCell className="max-w-80">
          <div className="flex items-center gap-2">
            <Avatar name={member.name} />
            <div className="min-w-0">
              <span className="block truncate font-medium">
                {member.name}
                {member.id === me ? <span className="font-normal text-muted"> (you)</span> : null}
              </span>
              <span className="block truncate text-xs text-muted" title={member.email}>
                {member.email}
              </span>
            </div>
          </div>
        </TableCell>
        <TableCell className="whitespace-nowrap">
          {member.role}
          {member.auditor ? <Badge className="ml-2">auditor</Badge> : null}
        </TableCell>
        <TableCell className="whitespace-nowrap">
          {member.disabledAt === null ? <Mark kind="clean">Active</Mark> : <Mark kind="refused">Disabled</Mark>}
        </TableCell>
        <TableCell className="text-xs text-muted">{describeSignIn(member)}</TableCell>
        <TableCell className="whitespace-nowrap text-muted">
          {member.seenAt === null ? "not recently" : <RelativeTime at={member.seenAt} />}
        </TableCell>
        <TableCell className="tabular text-muted">{member.sessions}</TableCell>
        <TableCell className="tabular whitespace-nowrap text-muted">
          {member.passkeys}
          {member.passkeyAllowedUntil === null ? null : <Badge className="ml-2">new passkey allowed</Badge>}
        </TableCell>
        <TableCell className="text-right">
          <Button size="sm" variant="ghost" aria-label={`Manage ${member.name}`} onClick={() => onChoose(member.id)}>
            Manage…
          </Button>
        </TableCell>
      </TableRow>
    ))}
  </ListTable>
);
