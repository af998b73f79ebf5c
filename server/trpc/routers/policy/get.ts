import { getDefaultApprovals, getPolicySubject } from "@/lib/approval-policy/command";
import { computePolicyDigest } from "@/lib/engine/ledger/settings-digests";
import { ownOrigin } from "@/server/own-origin";
import { findScopedPolicyRows, type PolicyRow } from "@/server/store/approvals/policy";
import { hasOtherAdmin } from "@/server/store/people/members";
import { getNames } from "@/server/store/people/people";
import { findDemoWorkspace } from "@/server/store/workspaces/workspaces";
import { createProcedure } from "@/server/trpc/init";
import { confirmRow, readAuthority } from "@/server/web/authority";

export const policyGet = createProcedure("settings.own").query(async ({ ctx: { workspaceId, user } }) => {
  const { environments } = await readAuthority(workspaceId);
  const places = [null, ...environments.list.map(({ id }) => id)];
  const readRows = () => findScopedPolicyRows(workspaceId);
  const rows = await confirmRow(workspaceId, await readRows(), readRows, (found) =>
    places.map((place) => {
      const row = found.get(place ?? "");

      return { area: "policy", subject: getPolicySubject(workspaceId, place), digest: row ? computePolicyDigest(row) : null };
    }),
  );
  const requesters = [...rows.values()].flatMap(({ request }) => (request ? [request.by] : []));
  const [demo, hasOther, names] = await Promise.all([
    findDemoWorkspace(),
    hasOtherAdmin(workspaceId, user.id),
    getNames(workspaceId, requesters),
  ]);
  const isDemo = demo?.id === workspaceId;
  const requestOf = (row: PolicyRow | undefined) =>
    row?.request
      ? {
          id: row.request.id,
          byName: names[row.request.by] ?? "",
          isOwn: row.request.by === user.id,
          atMs: row.requestedAtMs ?? 0,
        }
      : null;
  const general = rows.get("");
  const approvals = general?.approvals ?? getDefaultApprovals(ownOrigin(), isDemo);
  const inEnvironments = environments.list.map(({ id, title }) => {
    const row = rows.get(id);

    return { id, title, approvals: row?.approvals ?? approvals, hasOwn: (row?.approvals ?? null) !== null, request: requestOf(row) };
  });

  return {
    workspace: workspaceId,
    approvals,
    isSet: (general?.approvals ?? null) !== null,
    isDemo,
    canHavePasskeys: getDefaultApprovals(ownOrigin(), false) === "write",
    hasOtherAdmin: hasOther,
    request: requestOf(general),
    environments: inEnvironments,
    signsChanges: [approvals, ...inEnvironments.map((one) => one.approvals)].includes("write"),
  };
});
