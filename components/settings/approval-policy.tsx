"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import { LoadFailed } from "@/components/connect/load-failed";
import { useCountersign } from "@/components/passkeys/use-countersign";
import { useTRPC } from "@/components/trpc/trpc";
import { Callout } from "@/components/ui/callout";
import { RelativeTime } from "@/components/ui/relative-time";
import { SkeletonRows } from "@/components/ui/skeleton";
import { ConfirmAction } from "@/components/ui/confirm-action";
import { whyNot } from "@/lib/roles";
import type { SignedIn } from "@/server/auth/signed-in";
import type { AppRouter } from "@/server/trpc/root";

type Policy = inferRouterOutputs<AppRouter>["policy"]["get"];
type Request = NonNullable<Policy["request"]>;

const TEXTS = {
  write: "Every approval of a write, of protected memory or of something irreversible takes the reviewer's passkey.",
  graph: "An approval takes a passkey only where the graph demands one.",
} as const satisfies Record<Policy["approvals"], string>;

const whyThis = ({ isSet, isDemo, canHavePasskeys }: Policy): string => {
  if (isSet) return "";
  if (isDemo) return "This is the default of a demo.";

  return canHavePasskeys
    ? "This is the default."
    : "This is the default where the address cannot have passkeys: they need HTTPS or localhost.";
};

const useActions = () => {
  const trpc = useTRPC();
  const client = useQueryClient();
  const countersign = useCountersign();
  const onSettled = () => client.invalidateQueries({ queryKey: trpc.policy.pathKey() });
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
          {isOwn ? "You asked" : `${byName} asked`} to leave passkeys to the graph <RelativeTime at={atMs} />.
        </>
      }
    >
      <p>{isOwn ? "A different admin has to confirm it." : "A different admin than the one who asked confirms or declines it."}</p>
      <div className="mt-2 -ml-3 flex flex-wrap gap-2">
        {isOwn ? null : (
          <ConfirmAction
            label="Confirm…"
            title="Leave passkeys to the graph?"
            consequence="Runs that start from now on take approvals without a passkey, except where their graph demands one. If you have a passkey, you sign this with it."
            confirm="Lower the policy"
            pending="Committing…"
            disabledReason={mayNot}
            act={() => confirm(id)}
          />
        )}
        <ConfirmAction
          label={isOwn ? "Withdraw…" : "Decline…"}
          title={isOwn ? "Withdraw the request?" : "Decline the request?"}
          consequence="The policy stays as it is."
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
  const mayNot = whyNot(session.role, "people.manage", session.auditor);

  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        <p className="min-w-64 flex-1 text-sm">
          {TEXTS[approvals]} <span className="text-muted">{whyThis(policy)}</span>
        </p>
        {approvals === "graph" ? (
          <ConfirmAction
            label="Demand passkeys for writes…"
            title="Demand a passkey for every write?"
            consequence="In runs that start from now on, nobody approves a write without a passkey. Lowering this again takes two admins."
            confirm="Demand passkeys"
            pending="Committing…"
            disabledReason={mayNot}
            act={raise}
          />
        ) : request ? null : (
          <ConfirmAction
            label="Leave it to the graph…"
            title="Ask to leave passkeys to the graph?"
            consequence="A different admin has to confirm it; until then nothing changes. If you have a passkey, you sign this with it."
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
          You are the only admin, so nobody here can confirm a lower policy. The operator can, on the command line:{" "}
          <code className="mt-1 block font-mono text-xs break-words">{`npx countersign policy set graph --workspace ${workspace} --yes`}</code>
        </p>
      ) : null}
    </>
  );
};

/** Which approvals of the workspace take a passkey: changed by admins, read by everybody. */
export const ApprovalPolicy = ({ session }: { readonly session: SignedIn }) => {
  const { data, error, refetch } = useQuery(useTRPC().policy.get.queryOptions());

  return (
    <section aria-labelledby="approval-policy" className="flex flex-col gap-3 border-t p-6">
      <h2 id="approval-policy" className="text-base font-semibold">
        Passkeys for approvals
      </h2>
      {error ? <LoadFailed what="The policy" error={error} retry={refetch} /> : null}
      {data ? <Panel policy={data} session={session} /> : error ? null : <SkeletonRows rows={1} />}
    </section>
  );
};
