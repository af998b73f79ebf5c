import type { Metadata } from "next";
import Link from "next/link";
import { Callout } from "@/components/ui/callout";
import { FoundWorkspace } from "@/components/users/found-workspace";
import { Entrance, ExitLink } from "@/components/users/entrance";
import { FirstAdminForm } from "@/components/users/first-admin-form";
import { getApi, getCurrentSession } from "@/server/trpc/rsc";
import { catchMismatch } from "@/server/web/authority";

// The URL contains the token.
export const metadata: Metadata = { title: "Set up", referrer: "no-referrer", robots: { index: false } };

type Props = { readonly searchParams: Promise<{ token?: string | string[] }> };

const SetupPage = async ({ searchParams }: Props) => {
  const { token } = await searchParams;
  const given = typeof token === "string" && token.length <= 200 ? token : "";
  const { isOpen } = await (await getApi()).setup.checkLink({ token: given });

  const session = isOpen ? await catchMismatch(getCurrentSession(), null) : null;
  if (session && !session.workspace.demo) {
    return (
      <Entrance
        title="Create a workspace"
        intro={`You are signed in as ${session.user.email} and become its first admin. This link works once.`}
      >
        <FoundWorkspace token={given} />
      </Entrance>
    );
  }

  return isOpen ? (
    <Entrance title="Set up Countersign" intro="The first account administers the installation. This link works once.">
      <FirstAdminForm token={given} />
      <p className="mt-4 text-sm text-muted">
        If you have an account here, <ExitLink href="/sign-in">sign in</ExitLink> first, then open this link again.
      </p>
    </Entrance>
  ) : (
    <Entrance title="This link doesn't work" intro="A set-up link works once, for 30 minutes.">
      <Callout kind="refused" title="The link was used, has expired or is incomplete.">
        If this installation has no admin yet, restart it to print a new link. Otherwise{" "}
        <Link href="/sign-in" className="font-medium text-accent underline underline-offset-2">
          sign in
        </Link>
        .
      </Callout>
    </Entrance>
  );
};

export default SetupPage;
