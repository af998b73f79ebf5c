"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { ConfirmAction } from "@/components/ui/confirm-action";
import { DialogButton } from "@/components/ui/dialog-button";
import { QueryState } from "@/components/ui/query-state";
import type { SignedIn } from "@/server/auth/signed-in";
import { NewWorkspaceForm } from "@/components/account/new-workspace-form";

export const OwnWorkspaces = ({ workspace }: Pick<SignedIn, "workspace">) => {
  const client = useTRPCClient();
  const leave = async () => {
    await client.session.leave.mutate();
    window.location.assign("/sign-in");
  };

  return (
    <QueryState query={useQuery(useTRPC().session.workspaces.queryOptions())} what="your workspaces" rows={1}>
      {({ workspaces, mayCreate }) => (
        <div className="flex flex-col gap-3">
          <ul className="flex flex-col gap-1 text-sm">
            {workspaces.map(({ id, name, role, auditor }) => (
              <li key={id} className="flex min-w-0 gap-2">
                <span className="truncate font-medium">{name}</span>
                <span className="shrink-0 text-muted">
                  {role}
                  {auditor ? ", auditor" : ""}
                  {id === workspace.id ? ", shown here" : ""}
                </span>
              </li>
            ))}
          </ul>
          <div className="flex flex-wrap gap-2">
            {mayCreate ? (
              <DialogButton
                label="New workspace…"
                title="Create a workspace"
                description="You become its first admin. People, servers and runs of this one are not shared with it."
              >
                {() => <NewWorkspaceForm toEntry={(name) => ({ by: "creation", name })} />}
              </DialogButton>
            ) : null}
            <ConfirmAction
              label="Leave workspace…"
              title={`Leave ${workspace.name}?`}
              consequence="Your sessions, tokens and delegations here end. Your other workspaces and your account stay. An admin can let you in again."
              confirm="Leave workspace"
              pending="Leaving…"
              disabledReason={workspace.demo ? "Demo accounts stay in the demo" : null}
              act={leave}
            />
          </div>
        </div>
      )}
    </QueryState>
  );
};
