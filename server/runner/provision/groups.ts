import { listMembersInForce, type MemberInForce } from "@/lib/engine/ledger/members-in-force";
import { computeDirectoryUserDigest } from "@/lib/engine/ledger/settings-digests";
import { digestInForce } from "@/lib/engine/ledger/workspace-authority";
import type { RunEvent } from "@/lib/engine/event";
import type { ApproverFold } from "@/lib/people/approver-fold";
import { decideProvisioned } from "@/lib/people/decide-directory";
import { decideGroup } from "@/lib/people/decide-provision";
import { applySync } from "@/lib/people/directory-fold";
import { MOST_CHANGED, type ProvisionCommand } from "@/lib/people/provision-command";
import { applyGroup } from "@/lib/people/provision-fold";
import type { RefusalCode } from "@/lib/refusal";
import { listEvents, planSync, projectSyncs, toSyncedEvent, type PlannedSync } from "@/server/runner/directory-sync";
import { readDirectoryUsers } from "@/server/store/people/directory-users";
import type { ProvisionContext, ProvisionPlan } from "./plan";

export type GroupCommand = Extract<ProvisionCommand, { kind: `provision_group_${string}` }>;
type GroupChanged = Extract<RunEvent, { type: "directory_group" }>;

const listAffected = ({ directory }: ApproverFold, { group, name, external_id: externalId, joins, leaves }: GroupChanged) => {
  const before = directory.provision.groups.get(group);
  const isRenamed = before !== undefined && (before.name !== name || before.externalId !== externalId);

  return [...new Set([...joins, ...leaves, ...(isRenamed ? before.people : [])])];
};

type Refused = NonNullable<ProvisionPlan["refused"]>[number];
type Syncs = { readonly planned: readonly PlannedSync[]; readonly refused: readonly Refused[] };

/** Each decision sees those before it: two may not both leave as the second last admin. */
const planSyncs = async (context: ProvisionContext, event: GroupChanged): Promise<Syncs | RefusalCode> => {
  const { client, records, atMs, token } = context;
  const affected = listAffected(records.approvers, event);
  const rows = await readDirectoryUsers(client, records.workspace, affected);
  const members = new Map<string, MemberInForce>(listMembersInForce(records));
  const { directory } = records.approvers;
  const provision = { ...directory.provision, groups: applyGroup(directory.provision.groups, { at: atMs, seq: records.version }, event) };
  let fold: ApproverFold = { ...records.approvers, directory: { ...directory, provision } };
  const planned: PlannedSync[] = [];
  const refused: Refused[] = [];
  for (const user of affected) {
    const row = rows.get(user);
    if (!row || computeDirectoryUserDigest(row) !== digestInForce(records, "directory", user)) return "projection_mismatch";
    const sync = row.active ? decideProvisioned(user, true, { fold, members }) : null;
    if (sync === null) continue;
    if (typeof sync === "string") {
      refused.push({ user, code: sync });
      continue;
    }
    if (planned.length >= MOST_CHANGED) return "directory_limit";
    const step = await planSync(client, records, { user, sync, token }, atMs);
    if (typeof step === "string") return step;
    planned.push(step);
    const { role, auditor, disabled } = sync;
    members.set(user, { role, auditor, disabled });
    fold = { ...fold, ...applySync(fold, toSyncedEvent(fold, { user, sync, token })) };
  }

  return { planned, refused };
};

export const planGroup = async (context: ProvisionContext, command: GroupCommand): Promise<ProvisionPlan | RefusalCode> => {
  const { client, records, atMs } = context;
  const isKnown = (user: string): boolean => digestInForce(records, "directory", user) !== null;
  const event = decideGroup(command, records.approvers.directory.provision, isKnown);
  if (typeof event === "string") return event;
  const syncs = await planSyncs(context, event);
  if (typeof syncs === "string") return syncs;
  const { planned, refused } = syncs;

  return {
    events: [event, ...planned.flatMap(listEvents)],
    project: () => projectSyncs(client, records.workspace, planned, atMs),
    refused,
  };
};
