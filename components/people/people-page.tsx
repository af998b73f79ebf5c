"use client";

import { useQuery } from "@tanstack/react-query";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import type { Outputs } from "@/components/trpc/outputs";
import { useTRPC } from "@/components/trpc/trpc";
import { Page } from "@/components/ui/page";
import { QueryState } from "@/components/ui/query-state";
import { Tabs } from "@/components/ui/tabs";
import { explainDenial } from "@/lib/roles";
import type { SignedIn } from "@/server/auth/signed-in";
import { DirectoryPanel } from "./directory/directory-panel";
import { GroupsPanel } from "./groups/groups-panel";
import { Invite } from "./invite";
import { InviteTable } from "./invite-table";
import { MemberDialog } from "./member-dialog";
import { MemberTable } from "./member-table";
import { ReachTable } from "./reach-table";
import { PermissionsPanel } from "./permissions/permissions-panel";

const SHOWN = ["people", "invites", "groups", "provider", "permissions", "notifications"] as const;

type Props = { readonly data: Outputs["people"]["list"]; readonly me: string; readonly reason: string | null };

const Lists = ({ data: { members, invites }, me, reason }: Props) => {
  const [{ show, person }, setPlace] = useQueryStates({
    show: parseAsStringLiteral(SHOWN).withDefault("people"),
    person: parseAsString,
  });
  const open = invites.filter(({ status }) => status === "open").length;
  const chosen = members.find(({ id }) => id === person);

  return (
    <>
      <Tabs
        aria-label="People, invites, groups, identity provider, permissions and notifications"
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
          { value: "groups", label: "Groups", panel: <GroupsPanel members={members} reason={reason} /> },
          { value: "provider", label: "Identity provider", panel: <DirectoryPanel reason={reason} /> },
          { value: "permissions", label: "Permissions", panel: <PermissionsPanel accounts={members} /> },
          { value: "notifications", label: "Notifications", panel: <ReachTable members={members} /> },
        ]}
      />
      {chosen ? (
        <MemberDialog key={chosen.id} member={chosen} isMe={chosen.id === me} onClose={() => void setPlace({ person: null })} />
      ) : null}
    </>
  );
};

const People = ({ me, reason }: Omit<Props, "data">) => (
  <QueryState query={useQuery(useTRPC().people.list.queryOptions())} what="people" rows={4}>
    {(data) => <Lists data={data} me={me} reason={reason} />}
  </QueryState>
);

export const PeoplePage = ({ session: { role, auditor, user } }: { readonly session: SignedIn }) => (
  <Page
    title="People"
    description="Members and roles. You can't change your own role. All changes are recorded."
    access={{ to: "people", who: explainDenial(role, "people.read", auditor) }}
    actions={<Invite disabledReason={explainDenial(role, "people.manage")} />}
  >
    <People me={user.id} reason={explainDenial(role, "people.manage")} />
  </Page>
);
