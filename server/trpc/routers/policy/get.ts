import { getDefaultApprovals } from "@/lib/approval-policy/command";
import { computePolicyDigest } from "@/lib/engine/ledger/settings-digests";
import { ownOrigin } from "@/server/own-origin";
import { findScopedPolicyRow } from "@/server/store/approvals/policy";
import { hasOtherAdmin } from "@/server/store/people/members";
import { getNames } from "@/server/store/people/people";
import { findDemoWorkspace } from "@/server/store/workspaces/workspaces";
import { createProcedure } from "@/server/trpc/init";
import { confirmRow } from "@/server/web/authority";

export const policyGet = createProcedure("settings.own").query(async ({ ctx: { workspaceId, user } }) => {
  const readRow = () => findScopedPolicyRow(workspaceId);
  const row = await confirmRow(workspaceId, await readRow(), readRow, (found) => [
    { area: "policy", subject: workspaceId, digest: found && computePolicyDigest(found) },
  ]);
  const request = row?.request ?? null;
  const [demo, hasOther, names] = await Promise.all([
    findDemoWorkspace(),
    hasOtherAdmin(workspaceId, user.id),
    getNames(workspaceId, request ? [request.by] : []),
  ]);
  const isDemo = demo?.id === workspaceId;

  return {
    workspace: workspaceId,
    approvals: row?.approvals ?? getDefaultApprovals(ownOrigin(), isDemo),
    isSet: (row?.approvals ?? null) !== null,
    isDemo,
    canHavePasskeys: getDefaultApprovals(ownOrigin(), false) === "write",
    hasOtherAdmin: hasOther,
    request: request && {
      id: request.id,
      byName: names[request.by] ?? "",
      isOwn: request.by === user.id,
      atMs: row?.requestedAtMs ?? 0,
    },
  };
});
