"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { LoadFailed } from "@/components/connect/load-failed";
import { IdentityLine } from "@/components/people/identity-line";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { SkeletonRows } from "@/components/ui/skeleton";
import { signInElsewhere } from "@/components/users/sign-in-with";
import { ConfirmAction } from "@/components/ui/confirm-action";
import { Failure } from "@/components/ui/failure";
import type { ListedIdentity } from "@/server/store/people/identities";

/** What came of the way to the provider, as the address says it. */
const CAME_OF = {
  linked: { kind: "reviewed", title: "Your identity is linked. You can sign in with it from now on." },
  known: {
    kind: "refused",
    title: "Nothing was linked: this account has an identity already, or that identity belongs to another account.",
  },
  refused: { kind: "refused", title: "Nothing was linked. Try again; if it happens again, ask an admin to look into the log." },
} as const;

const isOutcome = (text: string | null): text is keyof typeof CAME_OF => text !== null && Object.hasOwn(CAME_OF, text);

const Outcome = () => {
  const said = useSearchParams().get("identity");

  return isOutcome(said) ? <Callout kind={CAME_OF[said].kind} title={CAME_OF[said].title} alert /> : null;
};

const Linked = ({ identity, hasPassword }: { readonly identity: ListedIdentity; readonly hasPassword: boolean }) => {
  const trpc = useTRPC();
  const client = useQueryClient();
  const unlink = useMutation(
    trpc.session.unlinkIdentity.mutationOptions({ onSettled: () => client.invalidateQueries({ queryKey: trpc.session.pathKey() }) }),
  );

  return (
    <div className="flex flex-col items-start gap-3">
      <IdentityLine identity={identity} />
      <ConfirmAction
        label="Unlink…"
        title="Unlink your identity?"
        consequence="You sign in with your password only. All your sessions but this one end."
        confirm="Unlink"
        pending="Unlinking…"
        disabledReason={hasPassword ? null : "It is your only way in"}
        act={() => unlink.mutateAsync({ issuer: identity.issuer, subject: identity.subject })}
      />
    </div>
  );
};

const Unlinked = ({ provider }: { readonly provider: string }) => {
  const link = useMutation(
    useTRPC().session.linkIdentity.mutationOptions({ onSuccess: () => signInElsewhere({ to: "/settings", again: true }) }),
  );

  return (
    <div className="flex flex-col items-start gap-3">
      <p className="text-sm text-muted">
        Sign in at {provider} once to link who you are there to this account. It goes on record, and you can unlink it here.
      </p>
      <Failure error={link.error} />
      <Button pending={link.isPending || link.isSuccess ? `Going to ${provider}…` : null} onClick={() => link.mutate()}>
        Link {provider}…
      </Button>
    </div>
  );
};

/** The identity that one signs in with. Nothing where no provider is known and none was linked. */
export const OwnIdentity = () => {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.session.identity.queryOptions());
  const proof = useQuery(trpc.session.proof.queryOptions());
  if (data && data.identity === null && (data.provider === null || proof.data === "button")) return null;

  return (
    <section aria-labelledby="identity" className="flex flex-col gap-3 border-t p-6">
      <h2 id="identity" className="text-base font-semibold">
        Identity
      </h2>
      <Outcome />
      {error ? <LoadFailed what="Your identity" error={error} retry={refetch} /> : null}
      {!data && !error ? <SkeletonRows rows={1} /> : null}
      {data?.identity ? <Linked identity={data.identity} hasPassword={proof.data === "password"} /> : null}
      {data && data.identity === null && data.provider !== null ? <Unlinked provider={data.provider} /> : null}
    </section>
  );
};
