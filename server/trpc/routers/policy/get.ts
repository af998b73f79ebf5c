import { defaultApprovals } from "@/lib/approval-policy/command";
import { policyDigest } from "@/lib/engine/ledger/settings-digests";
import { ownOrigin } from "@/server/own-origin";
import { scopedPolicyRow } from "@/server/store/approvals/policy";
import { hasOtherAdmin } from "@/server/store/people/members";
import { namesOf } from "@/server/store/people/people";
import { findDemoWorkspace } from "@/server/store/workspaces/workspaces";
import { procedure } from "@/server/trpc/init";
import { confirmRow } from "@/server/web/authority";

/** Which approvals need a passkey, and an open request to lower that. */
export const policyGet = procedure("settings.own").query(async ({ ctx: { workspaceId, user } }) => {
  const readRow = () => scopedPolicyRow(workspaceId);
  const row = await confirmRow(workspaceId, await readRow(), readRow, (found) => [
    { area: "policy", subject: workspaceId, digest: found && policyDigest(found) },
  ]);
  const request = row?.request ?? null;
  const [demo, hasOther, names] = await Promise.all([
    findDemoWorkspace(),
    hasOtherAdmin(workspaceId, user.id),
    namesOf(workspaceId, request ? [request.by] : []),
  ]);
  const isDemo = demo?.id === workspaceId;

  return {
    workspace: workspaceId,
    approvals: row?.approvals ?? defaultApprovals(ownOrigin(), isDemo),
    isSet: (row?.approvals ?? null) !== null,
    isDemo,
    canHavePasskeys: defaultApprovals(ownOrigin(), false) === "write",
    /** Whether another admin could confirm. */
    hasOtherAdmin: hasOther,
    request: request && {
      id: request.id,
      byName: names[request.by] ?? "",
      isOwn: request.by === user.id,
      atMs: row?.requestedAtMs ?? 0,
    },
  };
});
