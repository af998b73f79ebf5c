"use client";

import { useQuery } from "@tanstack/react-query";
import { LoadFailed } from "@/components/ui/load-failed";
import { useTRPC } from "@/components/trpc/trpc";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { SkeletonRows } from "@/components/ui/skeleton";
import { useWhyNoPasskeys } from "@/components/passkeys/why-no-passkeys";
import type { SignedIn } from "@/server/auth/signed-in";
import { AddPasskey } from "./add-passkey";
import { ChangePassword } from "./change-password";
import { OwnIdentity } from "./own-identity";
import { OwnSessions } from "./own-sessions";
import { PasskeyTable } from "./passkey-table";
import { ApprovalPolicy } from "./approval-policy";
import { StopWork } from "./stop-work";
import { PasskeyState } from "./passkey-state";

const Passkeys = ({ why }: { readonly why: string | null }) => {
  const { data, error, refetch } = useQuery(useTRPC().passkeys.list.queryOptions());
  if (error) return <LoadFailed what="your passkeys" error={error} retry={refetch} />;
  if (!data) return <SkeletonRows rows={3} />;

  return (
    <>
      {why ? null : <PasskeyState passkeys={data.passkeys} allowedUntil={data.allowedUntil} />}
      {data.passkeys.length === 0 ? (
        <EmptyState kind="nothing_yet" title="No passkeys yet">
          Add one to sign approvals that require a passkey. The private key stays on your device or security key.
        </EmptyState>
      ) : (
        <PasskeyTable passkeys={data.passkeys} />
      )}
    </>
  );
};

/** Own settings and the approval policy. */
export const SettingsPage = ({ session }: { readonly session: SignedIn }) => {
  const why = useWhyNoPasskeys();

  return (
    <>
      <PageHeader
        title="Settings"
        description="Your passkeys, password and sessions. Anyone can later verify approvals signed with a passkey, without this server."
        actions={<AddPasskey why={why} />}
      />
      <section aria-labelledby="passkeys" className="flex flex-col gap-3 p-6">
        <h2 id="passkeys" className="text-base font-semibold">
          Passkeys
        </h2>
        {why ? (
          <p role="note" className="text-sm text-muted">
            {why}
          </p>
        ) : null}
        <Passkeys why={why} />
      </section>
      <ApprovalPolicy session={session} />
      <StopWork session={session} />
      <section aria-labelledby="password" className="flex flex-col gap-3 border-t p-6">
        <h2 id="password" className="text-base font-semibold">
          Password
        </h2>
        <ChangePassword />
      </section>
      <OwnIdentity />
      <section aria-labelledby="sessions" className="flex flex-col gap-3 border-t p-6">
        <h2 id="sessions" className="text-base font-semibold">
          Sessions
        </h2>
        <OwnSessions />
      </section>
    </>
  );
};
