import type { RunEvent } from "@/lib/engine/event";
import { computeMemberDigest } from "@/lib/engine/ledger/settings-digests";
import { digestInForce, type WorkspaceAuthority } from "@/lib/engine/ledger/workspace-authority";
import type { HexDigest } from "@/lib/hash";
import type { ApproverFold } from "@/lib/people/approver-fold";
import type { Sync } from "@/lib/people/decide-directory";
import type { RefusalCode } from "@/lib/refusal";
import type { AdminStep } from "@/server/admin-step";
import { endSessionsOf } from "@/server/runner/ended-sessions";
import { changeStanding } from "@/server/store/people/changes";
import { endSessions } from "@/server/store/people/session-endings";
import type { LedgerTransaction } from "@/server/store/runs/attempts";

export type Synced = {
  readonly user: string;
  readonly sync: Sync;
  readonly token: HexDigest;
};

export const toSyncedEvent = (
  { directory }: ApproverFold,
  { user, token, sync: { given, joins, leaves } }: Synced,
): Extract<RunEvent, { type: "directory_synced" }> => ({
  type: "directory_synced",
  user,
  mapping: directory.inForce?.seq ?? 0,
  token,
  given,
  joins: [...joins],
  leaves: [...leaves],
});

export type PlannedSync = Synced & {
  readonly changed: Pick<AdminStep, "step" | "before" | "after">;
  readonly also: readonly RunEvent[];
};

export const planSync = async (
  client: LedgerTransaction,
  records: WorkspaceAuthority,
  { user, sync, token }: Synced,
  atMs: number,
): Promise<PlannedSync | RefusalCode> => {
  const ending = { userId: user, session: null, keep: null };
  const ended = sync.given ? [] : await endSessionsOf(client, records, ending, atMs);
  if (typeof ended === "string") return ended;

  return {
    user,
    sync,
    token,
    changed: {
      step: sync.given ? "directory_synced" : "directory_disabled",
      before: digestInForce(records, "people", user),
      after: computeMemberDigest(sync, sync.disabled),
    },
    also: [toSyncedEvent(records.approvers, { user, sync, token }), ...ended],
  };
};

export const listEvents = ({ user, changed, also }: PlannedSync): readonly RunEvent[] => [
  { type: "admin_changed", area: "people", subject: user, ...changed },
  ...also,
];

export const projectSyncs = async (
  client: LedgerTransaction,
  workspace: string,
  planned: readonly PlannedSync[],
  atMs: number,
): Promise<void> => {
  const alike = Map.groupBy(planned, ({ sync: { role, auditor, disabled } }) => `${role} ${auditor} ${disabled}`);
  for (const [first, ...others] of alike.values()) {
    if (first)
      await changeStanding(
        client,
        workspace,
        [first, ...others].map(({ user }) => user),
        first.sync,
        atMs,
      );
  }
  for (const { user, sync } of planned) {
    if (!sync.given) await endSessions(client, workspace, { userId: user, session: null, keep: null }, atMs);
  }
};
