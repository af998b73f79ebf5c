import type { Metadata } from "next";
import Link from "next/link";
import { Callout } from "@/components/ui/callout";
import { Elsewhere } from "@/components/users/identity-provider-link";
import { JoinAfterSignIn, JoinSignedIn } from "@/components/users/join-known";
import { Entrance, ExitLink } from "@/components/users/entrance";
import { JoinForm } from "@/components/users/join-form";
import { FIRST_PASSKEY } from "@/components/account/sign-in-with";
import { ROLE_TEXTS } from "@/components/account/role-texts";
import { getApi, getCurrentSession } from "@/server/trpc/rsc";
import { catchMismatch } from "@/server/web/authority";

// The URL contains the token.
export const metadata: Metadata = { title: "Join", referrer: "no-referrer", robots: { index: false } };

type Props = { readonly searchParams: Promise<{ token?: string | string[] }> };

const JoinPage = async ({ searchParams }: Props) => {
  const { token } = await searchParams;
  const given = typeof token === "string" && token.length <= 200 ? token : "";
  const { join, setup } = await getApi();
  const [{ invite }, { identityProvider }, session] = await Promise.all([
    join.check({ token: given }),
    setup.state(),
    catchMismatch(getCurrentSession(), null),
  ]);
  if (invite === null) {
    return (
      <Entrance title="This link doesn't work" intro="An invite works once, for 72 hours.">
        <Callout kind="refused" title="The invite was used, withdrawn or has expired, or the link is incomplete.">
          Ask the person who invited you for a new one. If you already joined,{" "}
          <Link href="/sign-in" className="font-medium text-accent underline underline-offset-2">
            sign in
          </Link>
          .
        </Callout>
      </Entrance>
    );
  }

  const heading = {
    title: `Join ${invite.workspace}`,
    intro: `You join as ${invite.role}${invite.auditor ? " and auditor" : ""}. ${ROLE_TEXTS[invite.role]}`,
  };
  if (invite.known) {
    const joining = { token: given, email: invite.email, workspace: invite.workspace };

    return (
      <Entrance {...heading}>
        {session?.user.email === invite.email ? <JoinSignedIn {...joining} /> : <JoinAfterSignIn {...joining} />}
        {identityProvider === null ? null : (
          <p className="mt-4 text-sm text-muted">
            Without a password, <ExitLink href="/sign-in">{`sign in with ${identityProvider}`}</ExitLink>, then open this link again.
          </p>
        )}
      </Entrance>
    );
  }

  return (
    <Entrance {...heading}>
      {identityProvider === null ? null : <Elsewhere name={identityProvider} denial={null} to={FIRST_PASSKEY} />}
      <JoinForm token={given} email={invite.email} isMainWay={identityProvider === null} />
    </Entrance>
  );
};

export default JoinPage;
