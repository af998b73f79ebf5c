"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useAdminSignature } from "@/components/passkeys/use-admin-signature";
import { useTRPC } from "@/components/trpc/trpc";
import { useRefresh } from "@/components/trpc/use-refresh";
import { Callout } from "@/components/ui/callout";
import { ConfirmAction } from "@/components/ui/confirm-action";
import { DialogButton } from "@/components/ui/dialog-button";
import { EmptyState } from "@/components/ui/empty-state";
import { ListTable, type Column } from "@/components/ui/list-table";
import { QueryState } from "@/components/ui/query-state";
import type { Directory } from "@/lib/people/directory";
import { Provisioning } from "./provisioning";
import { MappingForm, type ShownDirectory } from "./mapping-form";

type Rule = Directory["rules"][number];
type Props = { readonly data: ShownDirectory; readonly reason: string | null };

const COLUMNS: readonly Column<Rule>[] = [
  { name: "Provider group", className: "font-medium break-all whitespace-normal", cell: ({ group }) => group },
  { name: "Role", cell: ({ role }) => role ?? "None" },
  { name: "Approver groups", className: "whitespace-normal", cell: ({ approvers }) => approvers.join(", ") || "None" },
];

const Mapping = ({
  label,
  directory: { claim, newcomers, otherwise, rules },
}: {
  readonly label: string;
  readonly directory: Directory;
}) => (
  <div className="flex flex-col gap-2">
    <p className="text-sm text-muted">
      Claim <code className="font-mono break-all">{claim}</code>. Everyone else: {otherwise ?? "no role"}.{" "}
      {newcomers ? "New people get an account at their first sign-in." : "New people need an invite."}
    </p>
    <ListTable
      label={label}
      columns={COLUMNS}
      rows={rules}
      rowKey={({ group }) => group}
      empty={
        <EmptyState kind="nothing_yet" title="No groups">
          Everyone gets the role above.
        </EmptyState>
      }
    />
  </div>
);

const useRequest = () => {
  const trpc = useTRPC();
  const sign = useAdminSignature();
  const onSettled = useRefresh(trpc.directory.pathFilter());
  const confirm = useMutation(trpc.directory.confirm.mutationOptions({ onSettled }));
  const decline = useMutation(trpc.directory.decline.mutationOptions({ onSettled }));

  return {
    confirm: async (asked: string) => confirm.mutateAsync({ asked, ...(await sign({ kind: "directory_confirm", asked })) }),
    decline: (asked: string) => decline.mutateAsync({ asked }),
  };
};

const Request = ({ data: { asked, hasOtherAdmin }, reason }: Props) => {
  const act = useRequest();
  if (!asked) return null;
  const shared = { buttonSize: "sm", disabledReason: reason, pending: "Committing…" } as const;

  return (
    <Callout
      kind="waiting"
      title={asked.isOwn ? "You asked for a mapping that makes admins" : `${asked.byName} asked for a mapping that makes admins`}
    >
      <div className="flex flex-col gap-3 pt-1">
        <p>
          {asked.isOwn ? "A different admin must confirm it." : "Compare it with the mapping in force before you confirm."}
          {asked.isOwn && !hasOtherAdmin ? " You are the only admin; the operator can confirm it with countersign directory confirm." : ""}
        </p>
        <Mapping label="Requested mapping" directory={asked.directory} />
        <div className="flex flex-wrap gap-2">
          {asked.isOwn ? null : (
            <ConfirmAction
              {...shared}
              label="Confirm…"
              title="Let provider groups make admins?"
              consequence="People who manage these groups at the provider then decide who is an admin here. If you have a passkey, you sign this with it."
              confirm="Confirm mapping"
              act={() => act.confirm(asked.digest)}
            />
          )}
          <ConfirmAction
            {...shared}
            label={asked.isOwn ? "Withdraw…" : "Decline…"}
            title={asked.isOwn ? "Withdraw the request?" : "Decline the request?"}
            consequence="The mapping in force stays."
            confirm={asked.isOwn ? "Withdraw" : "Decline"}
            act={() => act.decline(asked.digest)}
          />
        </div>
      </div>
    </Callout>
  );
};

const RemoveMapping = ({ digest, reason }: { readonly digest: string; readonly reason: string | null }) => {
  const trpc = useTRPC();
  const set = useMutation(trpc.directory.set.mutationOptions({ onSettled: useRefresh(trpc.directory.pathFilter()) }));

  return (
    <ConfirmAction
      label="Remove…"
      name="Remove the mapping"
      title="Remove the mapping?"
      consequence="Members keep their roles and approver groups. New people need an invite."
      confirm="Remove mapping"
      pending="Committing…"
      disabledReason={reason}
      act={() => set.mutateAsync({ was: digest, directory: null })}
    />
  );
};

const Content = ({ data, reason }: Props) => {
  const { inForce, provider } = data;

  return (
    <div className="flex flex-col items-start gap-4">
      <p className="max-w-prose text-sm text-muted">
        {provider === null
          ? "No identity provider is set up. The operator sets OIDC_ISSUER."
          : `Groups of ${provider} give roles and approver groups, at each sign-in. People with a password keep what an admin gave them.`}
      </p>
      {data.asked ? (
        <div className="w-full">
          <Request data={data} reason={reason} />
        </div>
      ) : null}
      <div className="w-full">
        {inForce ? (
          <Mapping label="Group mapping" directory={inForce.directory} />
        ) : (
          <EmptyState kind="nothing_yet" title="No group mapping yet">
            Without one, admins invite people and give them roles.
          </EmptyState>
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        <DialogButton
          label={inForce ? "Edit mapping…" : "Add mapping…"}
          disabledReason={reason}
          size="lg"
          title="Group mapping"
          description="Applies at each sign-in. All changes are recorded."
        >
          {(close) => <MappingForm data={data} onDone={close} />}
        </DialogButton>
        {inForce ? <RemoveMapping digest={inForce.digest} reason={reason} /> : null}
      </div>
      <Provisioning data={data.provisioning} reason={reason} />
    </div>
  );
};

export const DirectoryPanel = ({ reason }: Pick<Props, "reason">) => (
  <QueryState query={useQuery(useTRPC().directory.get.queryOptions())} what="the group mapping" rows={3}>
    {(data) => <Content data={data} reason={reason} />}
  </QueryState>
);
