"use client";

import { useQuery } from "@tanstack/react-query";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { LoadFailed } from "@/components/ui/load-failed";
import { PermissionsPanel } from "@/components/people/permissions/permissions-panel";
import { useTRPC } from "@/components/trpc/trpc";
import { NoAccess } from "@/components/ui/no-access";
import { PageHeader } from "@/components/ui/page-header";
import { SkeletonRows } from "@/components/ui/skeleton";
import { Tabs } from "@/components/ui/tabs";
import { explainDenial } from "@/lib/roles";
import type { SignedIn } from "@/server/auth/signed-in";
import { Invite } from "./invite";
import { InviteTable } from "./invite-table";
import { MemberDialog } from "./member-dialog";
import { MemberTable } from "./member-table";

const SHOWN = ["people", "invites", "permissions"] as const;

const Lists = ({ me }: { readonly me: string }) => {
  const [{ show, person }, setPlace] = useQueryStates({
    show: parseAsStringLiteral(SHOWN).withDefault("people"),
    person: parseAsString,
  });
  const { data, error, refetch } = useQuery(useTRPC().people.list.queryOptions());
  if (error) return <LoadFailed what="people" error={error} retry={refetch} />;
  if (!data) return <SkeletonRows rows={4} />;
  const { members, invites } = data;
  const open = invites.filter(({ status }) => status === "open").length;
  const chosen = members.find(({ id }) => id === person);

  return (
    <>
      <Tabs
        aria-label="People, invites and permissions"
        value={show}
        onValueChange={(next) => void setPlace({ show: next })}
        panelClassName="pt-4"
        tabs={[
          {
            value: "people",
            label: `People (${members.length})`,
            panel: <MemberTable members={members} me={me} onChoose={(id) => void setPlace({ person: id }, { history: "push" })} />,
          },
          {
            value: "invites",
            label: open === 0 ? "Invites" : `Invites (${open} open)`,
            panel: <InviteTable invites={invites} members={members} />,
          },
          { value: "permissions", label: "Permissions", panel: <PermissionsPanel accounts={members} /> },
        ]}
      />
      {chosen ? (
        <MemberDialog key={chosen.id} member={chosen} isMe={chosen.id === me} onClose={() => void setPlace({ person: null })} />
      ) : null}
    </>
  );
};

/** Members, invites and permissions. */
export const PeoplePage = ({ session }: { readonly session: SignedIn }) => {
  const reason = explainDenial(session.role, "people.read", session.auditor);
  if (reason) return <NoAccess to="people" who={reason} />;

  return (
    <>
      <PageHeader
        title="People"
        description="Members and roles. You can't change your own role. All changes are recorded."
        actions={<Invite disabledReason={explainDenial(session.role, "people.manage")} />}
      />
      <div className="p-6">
        <Lists me={session.user.id} />
      </div>
    </>
  );
};
