"use client";

import { useQuery } from "@tanstack/react-query";
import { useWhyNoPasskeys } from "@/components/passkeys/why-no-passkeys";
import { useTRPC } from "@/components/trpc/trpc";
import { Page, PageSection } from "@/components/ui/page";
import { QueryState } from "@/components/ui/query-state";
import type { SignedIn } from "@/server/auth/signed-in";
import { AddPasskey } from "./add-passkey";
import { ApprovalPolicy } from "./approval-policy";
import { ChangePassword } from "./change-password";
import { Delegations } from "./delegations";
import { Notifications } from "./notifications";
import { OwnIdentity } from "./own-identity";
import { OwnSessions } from "./own-sessions";
import { OwnWorkspaces } from "./own-workspaces";
import { PasskeyState } from "./passkey-state";
import { PasskeyTable } from "./passkey-table";
import { PersonalTokens } from "./personal-tokens";
import { ReasonTemplates } from "./reason-templates";
import { Reminders } from "./reminders";
import { StopWork } from "./stop-work";

const Passkeys = ({ why }: { readonly why: string | null }) => (
  <QueryState query={useQuery(useTRPC().passkeys.list.queryOptions())} what="your passkeys">
    {({ passkeys, allowedUntil }) => (
      <>
        {why ? null : <PasskeyState passkeys={passkeys} allowedUntil={allowedUntil} />}
        <PasskeyTable passkeys={passkeys} />
      </>
    )}
  </QueryState>
);

export const SettingsPage = ({ session }: { readonly session: SignedIn }) => {
  const why = useWhyNoPasskeys();

  return (
    <Page
      title="Settings"
      description="Your passkeys, notifications, password and sessions. Anyone can later verify approvals signed with a passkey, without this server."
      actions={<AddPasskey why={why} />}
      isFlush
    >
      <PageSection id="passkeys" title="Passkeys">
        {why ? (
          <p role="note" className="text-sm text-muted">
            {why}
          </p>
        ) : null}
        <Passkeys why={why} />
      </PageSection>
      <PageSection id="delegations" title="Delegation">
        <Delegations />
      </PageSection>
      <PageSection id="tokens" title="Personal tokens">
        <PersonalTokens role={session.role} />
      </PageSection>
      <PageSection id="notifications" title="E-mail notifications">
        <Notifications channel="mail" />
      </PageSection>
      <PageSection id="slack" title="Slack notifications">
        <Notifications channel="slack" />
      </PageSection>
      <PageSection id="push" title="Web push notifications">
        <Notifications channel="push" />
      </PageSection>
      <ApprovalPolicy session={session} />
      <ReasonTemplates session={session} />
      <Reminders session={session} />
      <StopWork session={session} />
      <PageSection id="workspaces" title="Workspaces">
        <OwnWorkspaces workspace={session.workspace} />
      </PageSection>
      <PageSection id="password" title="Password">
        <ChangePassword />
      </PageSection>
      <OwnIdentity />
      <PageSection id="sessions" title="Sessions">
        <OwnSessions />
      </PageSection>
    </Page>
  );
};
