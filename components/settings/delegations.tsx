"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import type { Outputs } from "@/components/trpc/outputs";
import { useTRPC } from "@/components/trpc/trpc";
import { useRefresh } from "@/components/trpc/use-refresh";
import { ConfirmAction } from "@/components/ui/confirm-action";
import { DialogButton } from "@/components/ui/dialog-button";
import { ListTable, timeColumn, type Column } from "@/components/ui/list-table";
import { QueryState } from "@/components/ui/query-state";
import { RelativeTime } from "@/components/ui/relative-time";
import { DelegationForm } from "./delegation-form";

type Listed = Outputs["approvers"]["delegations"]["list"];
type Given = Listed["given"][number];

const COLUMNS: readonly Column<Given>[] = [
  { name: "Delegate", className: "font-medium", cell: ({ to }) => to.name },
  timeColumn("From", ({ startsAt }) => startsAt),
  timeColumn("Until", ({ endsAt }) => endsAt),
];

const Received = ({ received }: Pick<Listed, "received">) =>
  received.length === 0 ? null : (
    <ul aria-label="You decide for" className="flex flex-col gap-1 text-sm">
      {received.map(({ id, from, startsAt, endsAt }) => (
        <li key={id}>
          You decide for {from.name} from <RelativeTime at={startsAt} /> until <RelativeTime at={endsAt} />.
        </li>
      ))}
    </ul>
  );

const Shown = ({ data: { canGive, delegates, given, received } }: { readonly data: Listed }) => {
  const trpc = useTRPC();
  const revoke = useMutation(
    trpc.approvers.delegations.revoke.mutationOptions({
      onSettled: useRefresh(trpc.approvers.pathFilter()),
    }),
  );
  const reason = canGive ? (delegates.length === 0 ? "There is no other reviewer" : null) : "Only reviewers can delegate approvals";

  return (
    <div className="flex flex-col items-start gap-3">
      <p className="text-sm text-muted">
        Your delegate decides approvals that name you or your groups. Both names are recorded, and only one of you counts.
      </p>
      <Received received={received} />
      {given.length === 0 ? null : (
        <div className="w-full">
          <ListTable
            label="Your delegations"
            columns={COLUMNS}
            rows={given}
            rowKey={({ id }) => id}
            renderActions={({ id, to }) => (
              <ConfirmAction
                label="Revoke…"
                name={`Revoke the delegation to ${to.name}`}
                buttonSize="sm"
                title={`Revoke the delegation to ${to.name}?`}
                consequence="Approvals that still need further decisions no longer count theirs."
                confirm="Revoke"
                pending="Revoking…"
                disabledReason={null}
                act={() => revoke.mutateAsync({ delegation: id })}
              />
            )}
          />
        </div>
      )}
      <DialogButton
        label="Delegate…"
        disabledReason={reason}
        title="Delegate your approvals"
        description="For a period, to another reviewer."
      >
        {(close) => <DelegationForm delegates={delegates} onDone={close} />}
      </DialogButton>
    </div>
  );
};

export const Delegations = () => (
  <QueryState query={useQuery(useTRPC().approvers.delegations.list.queryOptions())} what="your delegations" rows={1}>
    {(data) => <Shown data={data} />}
  </QueryState>
);
