"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { IdentityLine } from "@/components/account/identity-line";
import { useTRPC } from "@/components/trpc/trpc";
import { useRefresh } from "@/components/trpc/use-refresh";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { signInElsewhere } from "@/components/account/sign-in-with";
import { ConfirmAction } from "@/components/ui/confirm-action";
import { Failure } from "@/components/ui/failure";
import { PageSection } from "@/components/ui/page";
import { QueryState } from "@/components/ui/query-state";
import type { ListedIdentity } from "@/server/store/people/identities";

/** Linking result in the URL. */
const CAME_OF = {
  linked: { kind: "reviewed", title: "Identity linked. You can now sign in with it." },
  known: {
    kind: "refused",
    title: "Nothing was linked: this account already has an identity, or the identity belongs to another account.",
  },
  refused: { kind: "refused", title: "Nothing was linked. Try again. If it fails again, ask an admin to check the log." },
} as const;

const isOutcome = (text: string | null): text is keyof typeof CAME_OF => text !== null && Object.hasOwn(CAME_OF, text);

const Outcome = () => {
  const said = useSearchParams().get("identity");

  return isOutcome(said) ? <Callout kind={CAME_OF[said].kind} title={CAME_OF[said].title} alert /> : null;
};

const Linked = ({ identity, hasPassword }: { readonly identity: ListedIdentity; readonly hasPassword: boolean }) => {
  const trpc = useTRPC();
  const unlink = useMutation(trpc.session.unlinkIdentity.mutationOptions({ onSettled: useRefresh(trpc.session.pathFilter()) }));

  return (
    <div className="flex flex-col items-start gap-3">
      <IdentityLine identity={identity} />
      <ConfirmAction
        label="Unlink…"
        title="Unlink your identity?"
        consequence="You can then sign in only with your password. All your other sessions end."
        confirm="Unlink"
        pending="Unlinking…"
        disabledReason={hasPassword ? null : "It is your only way to sign in"}
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
        Sign in at {provider} once to link your identity there to this account. The link is recorded, and you can unlink it here.
      </p>
      <Failure error={link.error} />
      <Button pending={link.isPending || link.isSuccess ? `Going to ${provider}…` : null} onClick={() => link.mutate()}>
        Link {provider}…
      </Button>
    </div>
  );
};

export const OwnIdentity = () => {
  const trpc = useTRPC();
  const query = useQuery(trpc.session.identity.queryOptions());
  const proof = useQuery(trpc.session.proof.queryOptions());
  if (query.data && query.data.identity === null && (query.data.provider === null || proof.data === "button")) return null;

  return (
    <PageSection id="identity" title="Identity">
      <Outcome />
      <QueryState query={query} what="your identity" rows={1}>
        {({ identity, provider }) =>
          identity ? (
            <Linked identity={identity} hasPassword={proof.data === "password"} />
          ) : provider === null ? null : (
            <Unlinked provider={provider} />
          )
        }
      </QueryState>
    </PageSection>
  );
};
