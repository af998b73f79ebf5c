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

/** Null: all environments without a policy of their own. */
type Place = { readonly id: string; readonly title: string } | null;

const TEXTS = {
  write: "Approving a write, protected memory or an irreversible action requires the reviewer's passkey.",
  graph: "Approvals require a passkey only where the graph demands one.",
} as const satisfies Record<Policy["approvals"], string>;

const SHORT_TEXTS = {
  write: "Writes require a passkey.",
  graph: "Graphs decide.",
} as const satisfies Record<Policy["approvals"], string>;

const whyThis = ({ isSet, isDemo, canHavePasskeys }: Policy): string => {
  if (isSet) return "";
  if (isDemo) return "This is the default for demos.";

  return canHavePasskeys ? "This is the default." : "This is the default where passkeys can't be used: they need HTTPS or localhost.";
};

const describePlace = (place: Place): string => (place === null ? "" : ` in ${place.title}`);

const useActions = (place: Place) => {
  const trpc = useTRPC();
  const countersign = useCountersign();
  const onSettled = useRefresh(trpc.policy.pathFilter());
  const [raise, lower, confirm, decline] = [
    useMutation(trpc.policy.raise.mutationOptions({ onSettled })),
    useMutation(trpc.policy.lower.mutationOptions({ onSettled })),
    useMutation(trpc.policy.confirm.mutationOptions({ onSettled })),
    useMutation(trpc.policy.decline.mutationOptions({ onSettled })),
  ];
  const where = place === null ? {} : { environment: place.id };
  const signed = async (kind: "policy_lower" | "policy_confirm", request: string) => {
    const assertion = await countersign({ kind, request, ...where });

    return { request, ...where, ...(assertion ? { assertion } : {}) };
  };

  return {
    raise: () => raise.mutateAsync(where),
    lower: async () => lower.mutateAsync(await signed("policy_lower", crypto.randomUUID())),
    confirm: async (request: string) => confirm.mutateAsync(await signed("policy_confirm", request)),
    decline: (request: string) => decline.mutateAsync({ request, ...where }),
  };
};

type RequestProps = { readonly place: Place; readonly request: Request; readonly mayNot: string | null };

const OpenRequest = ({ place, request, mayNot }: RequestProps) => {
  const { confirm, decline } = useActions(place);
  const { id, byName, isOwn, atMs } = request;
  const where = describePlace(place);

  return (
    <Callout
      kind="waiting"
      title={
        <>
          {isOwn ? "You" : byName} asked to let graphs decide about passkeys{where} <RelativeTime at={atMs} />.
        </>
      }
    >
      <p>{isOwn ? "A different admin must confirm it." : "An admin other than the one who asked must confirm or decline it."}</p>
      <div className="mt-2 -ml-3 flex flex-wrap gap-2">
        {isOwn ? null : (
          <ConfirmAction
            label="Confirm…"
            name={`Confirm…${where}`}
            title={`Let graphs decide about passkeys${where}?`}
            consequence={`Runs that start${where} from now on accept approvals without a passkey, except where their graph demands one. ${
              place === null
                ? "Environments with a policy of their own keep it."
                : "They use shared secrets where the environment has none."
            } If you have a passkey, you sign this with it.`}
            confirm="Lower policy"
            pending="Committing…"
            disabledReason={mayNot}
            act={() => confirm(id)}
          />
        )}
        <ConfirmAction
          label={isOwn ? "Withdraw…" : "Decline…"}
          name={`${isOwn ? "Withdraw…" : "Decline…"}${where}`}
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

type ChangeProps = {
  readonly place: Place;
  readonly policy: Pick<Policy, "approvals" | "request">;
  readonly mayNot: string | null;
};

const Change = ({ place, policy: { approvals, request }, mayNot }: ChangeProps) => {
  const { raise, lower } = useActions(place);
  const where = describePlace(place);
  if (approvals === "graph")
    return (
      <ConfirmAction
        label="Require passkeys for writes…"
        name={`Require passkeys for writes…${where}`}
        title={`Require a passkey for every write${where}?`}
        consequence="In runs that start from now on, approving a write requires a passkey. Lowering this again takes two admins."
        confirm="Require passkeys"
        pending="Committing…"
        disabledReason={mayNot}
        act={raise}
      />
    );

  return request ? null : (
    <ConfirmAction
      label="Let graphs decide…"
      name={`Let graphs decide…${where}`}
      title={`Ask to let graphs decide about passkeys${where}?`}
      consequence="A different admin must confirm it. Nothing changes until then. If you have a passkey, you sign this with it."
      confirm="Ask a second admin"
      pending="Committing…"
      disabledReason={mayNot}
      act={lower}
    />
  );
};

const Environments = ({ environments, mayNot }: Pick<Policy, "environments"> & { readonly mayNot: string | null }) => (
  <ul aria-label="Passkeys by environment" className="divide-y rounded-md border">
    {environments.map((environment) => (
      <li key={environment.id} className="flex flex-col gap-2 px-3 py-2">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <p className="min-w-64 flex-1 text-sm">
            <span className="font-medium">{environment.title}</span>{" "}
            <span className="text-muted">{environment.hasOwn ? SHORT_TEXTS[environment.approvals] : "As above."}</span>
          </p>
          <Change place={environment} policy={environment} mayNot={mayNot} />
        </div>
        {environment.request ? <OpenRequest place={environment} request={environment.request} mayNot={mayNot} /> : null}
      </li>
    ))}
  </ul>
);

const Panel = ({ policy, session }: { readonly policy: Policy; readonly session: SignedIn }) => {
  const { approvals, request, environments, signsChanges, hasOtherAdmin, workspace } = policy;
  const mayNot = explainDenial(session.role, "people.manage", session.auditor);

  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        <p className="min-w-64 flex-1 text-sm">
          {TEXTS[approvals]} <span className="text-muted">{whyThis(policy)}</span>
        </p>
        <Change place={null} policy={policy} mayNot={mayNot} />
      </div>
      {request ? <OpenRequest place={null} request={request} mayNot={mayNot} /> : null}
      {environments.length < 2 ? null : <Environments environments={environments} mayNot={mayNot} />}
      {signsChanges && mayNot === null && !hasOtherAdmin ? (
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
