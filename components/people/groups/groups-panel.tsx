"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";
import { useRefresh } from "@/components/trpc/use-refresh";
import { ConfirmAction } from "@/components/ui/confirm-action";
import { DialogButton } from "@/components/ui/dialog-button";
import { EmptyState } from "@/components/ui/empty-state";
import { ListTable, type Column } from "@/components/ui/list-table";
import { QueryState } from "@/components/ui/query-state";
import type { ShownMember } from "@/components/people/labels";
import { GroupForm, type ShownGroup } from "./group-form";

const listColumns = (members: readonly ShownMember[]): readonly Column<ShownGroup>[] => {
  const byId = new Map(members.map((member) => [member.id, member]));
  const canDecide = (id: string) => byId.get(id)?.role === "reviewer" && byId.get(id)?.disabledAt === null;

  return [
    { name: "Group", className: "font-medium", cell: ({ name }) => name },
    { name: "People", cell: ({ people }) => people.map((id) => byId.get(id)?.name ?? "a former member").join(", ") || "None" },
    { name: "Can decide", numeric: true, cell: ({ people }) => `${people.filter(canDecide).length} of ${people.length}` },
  ];
};

const NewGroup = ({ members, reason }: { readonly members: readonly ShownMember[]; readonly reason: string | null }) => (
  <DialogButton
    label="New group…"
    disabledReason={reason}
    title="New approver group"
    description="Approvals that name the group are decided only by its reviewers."
  >
    {(close) => <GroupForm group={null} members={members} onDone={close} />}
  </DialogButton>
);

export const GroupsPanel = ({ members, reason }: { readonly members: readonly ShownMember[]; readonly reason: string | null }) => {
  const trpc = useTRPC();
  const remove = useMutation(trpc.approvers.groups.remove.mutationOptions({ onSettled: useRefresh(trpc.approvers.pathFilter()) }));

  return (
    <QueryState query={useQuery(trpc.approvers.groups.list.queryOptions())} what="approver groups" rows={2}>
      {(groups) => (
        <div className="flex flex-col items-start gap-3">
          <div className="w-full">
            <ListTable
              label="Approver groups"
              columns={listColumns(members)}
              rows={groups}
              rowKey={({ name }) => name}
              empty={
                <EmptyState kind="nothing_yet" title="No approver groups yet">
                  A graph can name a group, so that only its people decide an approval.
                </EmptyState>
              }
              renderActions={(group) => (
                <>
                  <DialogButton
                    label="Edit…"
                    name={`Edit ${group.name}`}
                    buttonSize="sm"
                    variant="ghost"
                    disabledReason={reason}
                    title={group.name}
                    description="Changes apply at once, also to approvals that are open."
                  >
                    {(close) => <GroupForm group={group} members={members} onDone={close} />}
                  </DialogButton>
                  <ConfirmAction
                    label="Delete…"
                    name={`Delete ${group.name}`}
                    buttonSize="sm"
                    title={`Delete ${group.name}?`}
                    consequence="Approvals that name only this group can't be decided until it exists again."
                    confirm="Delete group"
                    pending="Deleting…"
                    disabledReason={reason}
                    act={() => remove.mutateAsync({ group: group.name })}
                  />
                </>
              )}
            />
          </div>
          <NewGroup members={members} reason={reason} />
        </div>
      )}
    </QueryState>
  );
};
