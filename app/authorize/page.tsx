import type { Metadata } from "next";
import { cookies } from "next/headers";
import { ConsentPage } from "@/components/connect/consent-page";
import { readPending } from "@/server/oauth/authorize";
import { findConsent } from "@/server/oauth/consent";
import { requireSession } from "@/server/trpc/rsc";

export const metadata: Metadata = { title: "Connect a client", referrer: "no-referrer", robots: { index: false } };

const AuthorizeRoute = async () => {
  const { role, workspace, user } = await requireSession();
  const request = readPending(await cookies());
  const consent = request && (await findConsent(workspace.id, request));

  return <ConsentPage role={role} person={user.name} asked={request && consent ? { request, consent } : null} />;
};

export default AuthorizeRoute;
