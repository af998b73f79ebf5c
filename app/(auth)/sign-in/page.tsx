import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { DemoPanel } from "@/components/users/demo-panel";
import { Elsewhere } from "@/components/users/identity-provider-link";
import { Entrance } from "@/components/users/entrance";
import { SignInForm } from "@/components/users/sign-in-form";
import { Callout } from "@/components/ui/callout";
import { ownPath } from "@/lib/own-path";
import { getApi, getCurrentSession } from "@/server/trpc/rsc";
import { catchMismatch } from "@/server/web/authority";

export const metadata: Metadata = { title: "Sign in" };

type Props = { readonly searchParams: Promise<{ to?: string | string[]; error?: string | string[]; ended?: string | string[] }> };

const MISMATCH = "AuthorityMismatch";

const denialOf = (error: unknown) => (error === undefined || error === MISMATCH ? null : error === "LinkFirst" ? "link_first" : "other");

const SignInPage = async ({ searchParams }: Props) => {
  const { to, error, ended } = await searchParams;
  // An account whose rows don't match the records can't sign in.
  if (await catchMismatch(getCurrentSession(), null)) redirect(ownPath(typeof to === "string" ? to : null));
  const { demo, hasAdmin, identityProvider } = await (await getApi()).setup.state();
  const intro = hasAdmin
    ? "Agents propose, people decide, the ledger proves it."
    : "This installation has no admin yet. Open the set-up link that the first start printed in the terminal.";

  return (
    <Entrance title="Sign in" intro={intro} aside={demo ? <DemoPanel accounts={demo} isMainWay={!hasAdmin} /> : null}>
      {ended === undefined ? null : (
        <Callout kind="waiting" className="mb-4" title="Your session ended.">
          It expired, or it was ended under Settings or by an admin. Sign in to return to where you were; unsaved changes of graphs are kept
          in this browser.
        </Callout>
      )}
      {identityProvider === null ? null : <Elsewhere name={identityProvider} denial={denialOf(error)} />}
      <SignInForm
        isMainWay={identityProvider === null && (hasAdmin || demo === null)}
        cause={error === MISMATCH ? "authority_mismatch" : null}
      />
    </Entrance>
  );
};

export default SignInPage;
