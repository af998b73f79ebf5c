"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useCountersign } from "@/components/passkeys/use-countersign";
import type { Outputs } from "@/components/trpc/outputs";
import { useTRPC } from "@/components/trpc/trpc";
import { useRefresh } from "@/components/trpc/use-refresh";
import { Callout } from "@/components/ui/callout";
import { RelativeTime } from "@/components/ui/relative-time";
import { ConfirmAction } from "@/components/ui/confirm-action";
import { PageSection } from "@/components/ui/page";
import { QueryState } from "@/components/ui/query-state";
import { explainDenial } from "@/lib/roles";
import type { SignedIn } from "@/server/auth/signed-in";

type Policy = Outputs["policy"]["get"];
type Request = NonNullable<Policy["request"]>;

const TEXTS = {
  write: "Approving a write, protected memory or an irreversible action requires the reviewer's passkey.",
  graph: "Approvals require a passkey only where the graph demands one.",
} as const satisfies Record<Policy["approvals"], string>;

const whyThis = ({ isSet, isDemo, canHavePasskeys }: Policy): string => {
  if (isSet) return "";
  if (isDemo) return "This is the default for demos.";

  return canHavePasskeys ? "This is the default." : "This is the default where passkeys can't be used: they need HTTPS or localhost.";
};

const useActions = () => {
  const trpc = useTRPC();
  const countersign = useCountersign();
  const onSettled = useRefresh(trpc.policy.pathFilter());
  const [raise, lower, confirm, decline] = [
    useMutation(trpc.policy.raise.mutationOptions({ onSettled })),
    useMutation(trpc.policy.lower.mutationOptions({ onSettled })),
    useMutation(trpc.policy.confirm.mutationOptions({ onSettled })),
    useMutation(trpc.policy.decline.mutationOptions({ onSettled })),
  ];
  const signed = async (kind: "policy_lower" | "policy_confirm", request: string) => {
    const assertion = await countersign({ kind, request });

    return { request, ...(assertion ? { assertion } : {}) };
  };

  return {
    raise: () => raise.mutateAsync(),
    lower: async () => lower.mutateAsync(await signed("policy_lower", crypto.randomUUID())),
    confirm: async (request: string) => confirm.mutateAsync(await signed("policy_confirm", request)),
    decline: (request: string) => decline.mutateAsync({ request }),
  };
};

const OpenRequest = ({ request, mayNot }: { readonly request: Request; readonly mayNot: string | null }) => {
  const { confirm, decline } = useActions();
  const { id, byName, isOwn, atMs } = request;

  return (
    <Callout
      kind="waiting"
      title={
        <>
          {isOwn ? "You" : byName} asked to let graphs decide about passkeys <RelativeTime at={atMs} />.
        </>
      }
    >
      <p>{isOwn ? "A different admin must confirm it." : "An admin other than the one who asked must confirm or decline it."}</p>
      <div className="mt-2 -ml-3 flex flex-wrap gap-2">
        {isOwn ? null : (
          <ConfirmAction
            label="Confirm…"
            title="Let graphs decide about passkeys?"
            consequence="Runs that start from now on accept approvals without a passkey, except where their graph demands one. If you have a passkey, you sign this with it."
            confirm="Lower policy"
            pending="Committing…"
            disabledReason={mayNot}
            act={() => confirm(id)}
          />
        )}
        <ConfirmAction
          label={isOwn ? "Withdraw…" : "Decline…"}
          title={isOwn ? "Withdraw the request?" : "Decline the request?"}
          consequence="The policy doesn't change."
          confirm={isOwn ? "Withdraw" : "Decline"}
          pending="Committing…"
          disabledReason={mayNot}
          act={() => decline(id)}
        />
      </div>
    </Callout>
  );
};

const Panel = ({ policy, session }: { readonly policy: Policy; readonly session: SignedIn }) => {
  const { raise, lower } = useActions();
  const { approvals, request, hasOtherAdmin, workspace } = policy;
  const mayNot = explainDenial(session.role, "people.manage", session.auditor);

  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        <p className="min-w-64 flex-1 text-sm">
          {TEXTS[approvals]} <span className="text-muted">{whyThis(policy)}</span>
        </p>
        {approvals === "graph" ? (
          <ConfirmAction
            label="Require passkeys for writes…"
            title="Require a passkey for every write?"
            consequence="In runs that start from now on, approving a write requires a passkey. Lowering this again takes two admins."
            confirm="Require passkeys"
            pending="Committing…"
            disabledReason={mayNot}
            act={raise}
          />
        ) : request ? null : (
          <ConfirmAction
            label="Let graphs decide…"
            title="Ask to let graphs decide about passkeys?"
            consequence="A different admin must confirm it. Nothing changes until then. If you have a passkey, you sign this with it."
            confirm="Ask a second admin"
            pending="Committing…"
            disabledReason={mayNot}
            act={lower}
          />
        )}
      </div>
      {request ? <OpenRequest request={request} mayNot={mayNot} /> : null}
      {approvals === "write" && mayNot === null && !hasOtherAdmin ? (
        <p role="note" className="text-sm text-muted">
          You are the only admin, so no one here can confirm a lower policy. The operator can, on the command line:{" "}
          <code className="mt-1 block font-mono text-xs break-words">{`npx countersign policy set graph --workspace ${workspace} --yes`}</code>
        </p>
      ) : null}
    </>
  );
};

export const ApprovalPolicy = ({ session }: { readonly session: SignedIn }) => (
  <PageSection id="approval-policy" title="Passkeys for approvals">
    <QueryState query={useQuery(useTRPC().policy.get.queryOptions())} what="the policy" rows={1}>
      {(policy) => <Panel policy={policy} session={session} />}
    </QueryState>
  </PageSection>
);
