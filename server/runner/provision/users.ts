import { listMembersInForce } from "@/lib/engine/ledger/members-in-force";
import { computeDirectoryUserDigest, computeMemberDigest } from "@/lib/engine/ledger/settings-digests";
import { digestInForce, getSettingsKey } from "@/lib/engine/ledger/workspace-authority";
import { decideProvisioned, decideProvisionedNewcomer } from "@/lib/people/decide-directory";
import { getAddress, getShownName, type DirectoryUser } from "@/lib/people/directory-user";
import type { ProvisionCommand } from "@/lib/people/provision-command";
import type { RefusalCode } from "@/lib/refusal";
import { listEvents, planSync, projectSyncs, toSyncedEvent } from "@/server/runner/directory-sync";
import * as users from "@/server/store/people/directory-users";
import { insertAccount, insertMembership } from "@/server/store/people/membership-changes";
import type { ProvisionContext, ProvisionPlan } from "./plan";

type CommandOf<K extends ProvisionCommand["kind"]> = Extract<ProvisionCommand, { kind: K }>;
type Planned = Promise<ProvisionPlan | RefusalCode>;

const describe = (subject: string, before: DirectoryUser | null, after: DirectoryUser | null) =>
  ({
    type: "admin_changed",
    area: "directory",
    subject,
    step: before === null ? "created" : after === null ? "deleted" : "changed",
    before: before && computeDirectoryUserDigest(before),
    after: after && computeDirectoryUserDigest(after),
  }) as const;

const planAccess = async (context: ProvisionContext, user: string, active: boolean): Planned => {
  const { client, records, atMs, token } = context;
  const facts = { fold: records.approvers, members: listMembersInForce(records) };
  const isDecidedHere = !active || facts.fold.directory.provision.groups.size > 0;
  const sync = isDecidedHere ? decideProvisioned(user, active, facts) : null;
  if (sync === null) return { events: [], project: () => Promise.resolve() };
  const planned = typeof sync === "string" ? sync : await planSync(client, records, { user, sync, token }, atMs);
  if (typeof planned === "string") return planned;

  return { events: listEvents(planned), project: () => projectSyncs(client, records.workspace, [planned], atMs) };
};

const isUsable = async ({ client, records }: ProvisionContext, user: DirectoryUser, id: string): Promise<boolean> =>
  !(await users.isUserNameTaken(client, records.workspace, user.userName, id));

/** Only an account that the mapping already manages. */
const isAdoptable = ({ records }: ProvisionContext, { id, hasPassword }: { readonly id: string; readonly hasPassword: boolean }): boolean =>
  !hasPassword &&
  listMembersInForce(records).has(id) &&
  records.approvers.directory.managed.has(id) &&
  digestInForce(records, "directory", id) === null &&
  digestInForce(records, "passwords", id) === null;

const planNewcomer = (context: ProvisionContext, id: string, email: string, user: DirectoryUser): ProvisionPlan => {
  const { client, records, atMs, token } = context;
  const { workspace } = records;
  const sync = decideProvisionedNewcomer(id, user.active, records.approvers);
  const { role, auditor, disabled } = sync;
  const joined = { area: "people", subject: id, step: "joined", before: null, after: computeMemberDigest(sync, disabled) } as const;

  return {
    events: [{ type: "admin_changed", ...joined }, describe(id, null, user), toSyncedEvent(records.approvers, { user: id, sync, token })],
    project: async () => {
      await insertAccount(client, { id, name: getShownName(user), email, password_hash: null, demo: false });
      await insertMembership(client, workspace, { id, role, auditor });
      const place = { workspaceId: workspace, userId: id };
      if (disabled) await users.disableNewMember(client, place, atMs);
      await users.writeDirectoryUser(client, place, user, atMs);
    },
  };
};

const planCreate = async (context: ProvisionContext, { user: id, attributes: user }: CommandOf<"provision_user_create">): Planned => {
  const { client, records, atMs } = context;
  const email = getAddress(user);
  if (email === null) return "malformed";
  if (!(await isUsable(context, user, id))) return "person_known";
  const account = await users.findAccountWith(client, email);
  if (!account) return planNewcomer(context, id, email, user);
  if (!isAdoptable(context, account)) return "person_known";
  const access = user.active ? null : await planAccess(context, account.id, false);
  if (typeof access === "string") return access;

  return {
    events: [describe(account.id, null, user), ...(access?.events ?? [])],
    project: async () => {
      await users.writeDirectoryUser(client, { workspaceId: records.workspace, userId: account.id }, user, atMs);
      await access?.project();
    },
  };
};

const findUser = async (
  { client, records }: ProvisionContext,
  { user: id, match }: { readonly user: string; readonly match?: number },
): Promise<DirectoryUser | RefusalCode> => {
  const standing = records.settings.get(getSettingsKey("directory", id));
  if (!standing) return "not_found";
  if (match !== undefined && match !== standing.seq) return "person_changed";
  const user = (await users.readDirectoryUsers(client, records.workspace, [id])).get(id);

  return user && computeDirectoryUserDigest(user) === standing.digest ? user : "projection_mismatch";
};

const planChange = async (context: ProvisionContext, command: CommandOf<"provision_user_change">): Planned => {
  const { client, records, atMs } = context;
  const { user: id, changes } = command;
  const before = await findUser(context, command);
  if (typeof before === "string") return before;
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as Partial<DirectoryUser>;
  const after: DirectoryUser = { ...before, ...given };
  const email = getAddress(after);
  if (email === null) return "malformed";
  if (!(await isUsable(context, after, id))) return "person_known";
  const account = await users.findAccountWith(client, email);
  if (account && account.id !== id) return "person_known";
  const access = before.active === after.active ? null : await planAccess(context, id, after.active);
  if (typeof access === "string") return access;

  return {
    events: [describe(id, before, after), ...(access?.events ?? [])],
    project: async () => {
      await users.writeDirectoryUser(client, { workspaceId: records.workspace, userId: id }, after, atMs);
      await access?.project();
    },
  };
};

const planDelete = async (context: ProvisionContext, command: CommandOf<"provision_user_delete">): Planned => {
  const { client, records } = context;
  const { user: id } = command;
  const before = await findUser(context, command);
  if (typeof before === "string") return before;
  const access = await planAccess(context, id, false);
  if (typeof access === "string") return access;

  return {
    events: [describe(id, before, null), ...access.events],
    project: async () => {
      await users.deleteDirectoryUser(client, { workspaceId: records.workspace, userId: id });
      await access.project();
    },
  };
};

export type UserCommand = CommandOf<"provision_user_create" | "provision_user_change" | "provision_user_delete">;

export const planUser = (context: ProvisionContext, command: UserCommand): Planned => {
  switch (command.kind) {
    case "provision_user_create":
      return planCreate(context, command);
    case "provision_user_change":
      return planChange(context, command);
    case "provision_user_delete":
      return planDelete(context, command);
    default:
      return command satisfies never;
  }
};
