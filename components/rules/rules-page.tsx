"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useAdminSignature } from "@/components/passkeys/use-admin-signature";
import type { Outputs } from "@/components/trpc/outputs";
import { useTRPC } from "@/components/trpc/trpc";
import { useRefresh } from "@/components/trpc/use-refresh";
import { ConfirmAction } from "@/components/ui/confirm-action";
import { DialogButton } from "@/components/ui/dialog-button";
import { EmptyState } from "@/components/ui/empty-state";
import { ListTable, type Column } from "@/components/ui/list-table";
import { Page } from "@/components/ui/page";
import { QueryState } from "@/components/ui/query-state";
import { explainDenial } from "@/lib/roles";
import type { SignedIn } from "@/server/auth/signed-in";
import { RuleForm } from "./rule-form";

type Rule = Outputs["approvers"]["rules"]["list"]["rules"][number];

const removalText = ({ removal }: Rule): string => {
  if (!removal) return "In force";

  return removal.isOwn ? "You asked to remove it. A different admin must confirm." : `${removal.byName} asked to remove it.`;
};

const statusText = (rule: Rule): string =>
  [removalText(rule), rule.emptyGroup === null ? "" : `${rule.emptyGroup} has no members who can decide.`].filter(Boolean).join(" · ");

const COLUMNS: readonly Column<Rule>[] = [
  { name: "Applies to", className: "font-medium whitespace-normal", cell: ({ when }) => when },
  { name: "Demands", className: "whitespace-normal first-letter:uppercase", cell: ({ needs }) => needs },
  { name: "Status", className: "whitespace-normal text-muted", cell: statusText },
];

const useRemoval = () => {
  const trpc = useTRPC();
  const sign = useAdminSignature();
  const onSettled = useRefresh(trpc.approvers.pathFilter());
  const remove = useMutation(trpc.approvers.rules.remove.mutationOptions({ onSettled }));
  const confirm = useMutation(trpc.approvers.rules.confirmRemoval.mutationOptions({ onSettled }));
  const decline = useMutation(trpc.approvers.rules.declineRemoval.mutationOptions({ onSettled }));

  return {
    ask: async (rule: string) => remove.mutateAsync({ rule, ...(await sign({ kind: "rule_remove", rule })) }),
    confirm: async (rule: string) => confirm.mutateAsync({ rule, ...(await sign({ kind: "rule_remove_confirm", rule })) }),
    decline: (rule: string) => decline.mutateAsync({ rule }),
  };
};

const Actions = ({ rule: { id, when, removal }, mayNot }: { readonly rule: Rule; readonly mayNot: string | null }) => {
  const act = useRemoval();
  const shared = { buttonSize: "sm", disabledReason: mayNot, pending: "Committing…" } as const;
  if (!removal) {
    return (
      <ConfirmAction
        {...shared}
        label="Remove…"
        name={`Remove the rule for ${when}`}
        title="Ask to remove this rule?"
        consequence="A different admin must confirm it. The rule stays in force until then. If you have a passkey, you sign this with it."
        confirm="Ask a second admin"
        act={() => act.ask(id)}
      />
    );
  }

  return (
    <>
      {removal.isOwn ? null : (
        <ConfirmAction
          {...shared}
          label="Confirm…"
          name={`Confirm removing the rule for ${when}`}
          title="Remove this rule?"
          consequence="Runs that start from now on are free of it. Runs under way keep it. If you have a passkey, you sign this with it."
          confirm="Remove rule"
          act={() => act.confirm(id)}
        />
      )}
      <ConfirmAction
        {...shared}
        label={removal.isOwn ? "Withdraw…" : "Decline…"}
        name={`${removal.isOwn ? "Withdraw" : "Decline"} removing the rule for ${when}`}
        title={removal.isOwn ? "Withdraw the request?" : "Decline the request?"}
        consequence="The rule stays in force."
        confirm={removal.isOwn ? "Withdraw" : "Decline"}
        act={() => act.decline(id)}
      />
    </>
  );
};

const NewRule = ({ mayNot }: { readonly mayNot: string | null }) => (
  <DialogButton
    label="Add rule…"
    variant="primary"
    disabledReason={mayNot}
    title="Add an approval rule"
    description="Binds runs that start from then on. Rules add to what graphs demand. Removing one takes two admins."
  >
    {(close) => <RuleForm onDone={close} />}
  </DialogButton>
);

export const RulesPage = ({ session: { role, auditor } }: { readonly session: SignedIn }) => {
  const trpc = useTRPC();
  const mayNot = explainDenial(role, "people.manage", auditor);

  return (
    <Page
      title="Approval rules"
      description="Approvals that every graph needs, in addition to its own. All changes are recorded."
      access={{ to: "approval rules", who: explainDenial(role, "approval.read", auditor) }}
      actions={<NewRule mayNot={mayNot} />}
    >
      <QueryState query={useQuery(trpc.approvers.rules.list.queryOptions())} what="approval rules" rows={3}>
        {({ rules, hasOtherAdmin }) => (
          <>
            <ListTable
              label="Approval rules"
              columns={COLUMNS}
              rows={rules}
              rowKey={({ id }) => id}
              empty={
                <EmptyState kind="nothing_yet" title="No approval rules yet">
                  A rule can demand named approvers, several approvals or a passkey, for example for refunds from 1,000.00.
                </EmptyState>
              }
              renderActions={(rule) => <Actions rule={rule} mayNot={mayNot} />}
            />
            {rules.length > 0 && mayNot === null && !hasOtherAdmin ? (
              <p role="note" className="text-sm text-muted">
                You are the only admin, so no one here can confirm a removal. The operator can, with{" "}
                <code className="font-mono text-xs">npx countersign rules remove</code>.
              </p>
            ) : null}
          </>
        )}
      </QueryState>
    </Page>
  );
};
