import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { computeDirectoryDigest, type Directory } from "@/lib/people/directory";
import type { DirectoryUser } from "@/lib/people/directory-user";
import type { ProvisionCommand } from "@/lib/people/provision-command";
import type { Role } from "@/lib/roles";
import type { WorkspaceCommand } from "@/lib/workspace-command";
import { startProvider } from "@/server/auth/testing/provider";
import { asAdmin, testWorkspace } from "@/server/mcp/testing/registered";
import { recordAttempts } from "@/server/runner/attempts";
import { createIdTokenVerifier } from "@/server/runner/sign-in/id-token";
import { signInWithIdentity } from "@/server/runner/sign-in/identity";
import { createScimToken, readScimToken } from "@/server/scim/token";
import { generateSessionSeed, getPublicKey } from "@/server/security/session-key";
import { openTestSession, recordRows, testControlPlane, userAuthor, writeCommand } from "@/server/testing/authority";
import { queryOn } from "@/server/testing/connections";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");
const plane = await testControlPlane();
const provider = await startProvider();
const signingIn = { ...plane, verifyIdToken: createIdTokenVerifier(plane, provider.settings()) };

const DIRECTORY: Directory = {
  claim: "groups",
  newcomers: true,
  otherwise: null,
  rules: [
    { group: "reviewers", role: "reviewer", approvers: ["Finance"] },
    { group: "builders", role: "builder", approvers: [] },
  ],
};
const WITH_ADMINS: Directory = { ...DIRECTORY, rules: [...DIRECTORY.rules, { group: "root", role: "admin", approvers: [] }] };

type Sender = Parameters<typeof writeCommand>[2]["author"];

const newMember = async (workspace: string, role: Role, password: string | null = null) => {
  const id = randomUUID();
  const values = [id, `${id}@example.com`, password];
  await asAdmin(urls.admin, "insert into app_user (id, email, name, password_hash) values ($1, $2, 'Sample user', $3)", values);
  await asAdmin(urls.admin, "insert into membership (workspace_id, user_id, role) values ($1, $2, $3)", [workspace, id, role]);

  return { id, email: `${id}@example.com` };
};

const send = async (workspace: string, author: Sender, body: WorkspaceCommand): Promise<string | undefined> => {
  const runId = getWorkspaceLedgerId(workspace);
  const id = await writeCommand(urls.admin, plane, { workspace, runId, author, body });
  await recordAttempts(plane, workspace, runId);
  const sql = "select status, outcome -> 'refusal' ->> 'code' as code from command where id = $1";
  const [row] = await queryOn<{ status: string; code: string | null }>(urls.admin, sql, [id]);

  return row?.code ?? row?.status;
};

const foldOf = async (workspace: string) => (await plane.authority.read(workspace)).approvers;

const setMapping = async (workspace: string, admin: string, directory: Directory) => {
  const { inForce } = (await foldOf(workspace)).directory;
  const was = inForce && computeDirectoryDigest(inForce.directory);

  return send(workspace, userAuthor(admin), { kind: "directory_set", was, directory });
};

const makeToken = async (workspace: string, admin: string, lifetimeMs = 60_000) => {
  const id = randomUUID();
  const { token, publicKey } = createScimToken(workspace, id);
  const code = await send(workspace, userAuthor(admin), { kind: "directory_token_make", token: id, publicKey, lifetimeMs });
  const caller = readScimToken(token);
  if (!caller) throw new Error("the token has another form");

  return { id, code, author: caller.author };
};

const newStand = async () => {
  const workspace = await testWorkspace(urls.admin);
  await asAdmin(urls.admin, "insert into approval_policy (workspace_id, approvals) values ($1, 'graph')", [workspace]);
  const [admin, second] = [await newMember(workspace, "admin", "argon2id"), await newMember(workspace, "admin")];
  await recordRows(plane, workspace);
  await send(workspace, userAuthor(admin.id), { kind: "group_set", group: "Finance", was: null, people: [] });
  await setMapping(workspace, admin.id, DIRECTORY);
  const token = await makeToken(workspace, admin.id);

  return { workspace, admin, second, token, scim: (body: ProvisionCommand) => send(workspace, token.author, body) };
};

let stand: Awaited<ReturnType<typeof newStand>>;

beforeAll(async () => {
  stand = await newStand();
});

const described = (more: Partial<DirectoryUser> = {}): DirectoryUser => ({
  userName: `${randomUUID()}@example.com`,
  externalId: null,
  email: null,
  displayName: "Ada Vale",
  formattedName: null,
  givenName: null,
  familyName: null,
  active: true,
  ...more,
});

const created = async (more: Partial<DirectoryUser> = {}, on = stand) => {
  const [user, attributes] = [randomUUID(), described(more)];
  expect(await on.scim({ kind: "provision_user_create", user, attributes })).toBe("accepted");

  return { user, attributes };
};

const groupWith = async (name: string, people: readonly string[], on = stand) => {
  const known = [...(await foldOf(on.workspace)).directory.provision.groups].find(([, group]) => group.name === name)?.[0];
  const group = known ?? randomUUID();
  const body: ProvisionCommand = known
    ? { kind: "provision_group_change", group, members: [{ op: "add", people: [...people] }] }
    : { kind: "provision_group_create", group, name, externalId: null, people: [...people] };
  expect(await on.scim(body)).toBe("accepted");

  return group;
};

const rowOf = async (user: string) => {
  const sql = "select role, disabled_at is not null as disabled from membership join app_user on id = user_id where user_id = $1";

  return (await queryOn(urls.admin, sql, [user]))[0];
};

const lastRecord = async (workspace = stand.workspace) => {
  const sql = "select body from ledger_record where workspace_id = $1 and run_id = $2 order by seq desc limit 1";
  const [row] = await queryOn<{ body: string }>(urls.admin, sql, [workspace, getWorkspaceLedgerId(workspace)]);

  return JSON.parse(row?.body ?? "null") as { principal: unknown; control: Record<string, unknown>[]; refusal: unknown };
};

const signIn = async (email: string, claims: Readonly<Record<string, unknown>> = {}) => {
  const token = await provider.tokenOf({ sub: randomUUID(), email, email_verified: true, ...claims });
  const session = { public_key: getPublicKey(generateSessionSeed()), address: "203.0.113.x", user_agent: "Test" };

  return signInWithIdentity(signingIn, { type: "identity", token, ...session });
};

test("a person has access once one of their groups is mapped, on records that name the token", async () => {
  const { user, attributes } = await created();
  expect(await rowOf(user)).toEqual({ role: "viewer", disabled: true });
  await groupWith("unmapped", [user]);
  expect(await rowOf(user)).toMatchObject({ disabled: true });
  const group = await groupWith("reviewers", [user]);
  expect(await rowOf(user)).toEqual({ role: "reviewer", disabled: false });
  expect((await foldOf(stand.workspace)).groups.get("Finance")).toContain(user);
  const { principal, control } = await lastRecord();
  expect(principal).toEqual({ type: "directory", token: stand.token.id });
  expect(control.map(({ type }) => type)).toEqual(["directory_group", "admin_changed", "directory_synced"]);
  expect(await stand.scim({ kind: "provision_group_change", group, members: [{ op: "remove", people: [user] }] })).toBe("accepted");
  expect(await rowOf(user)).toMatchObject({ disabled: true });
  expect((await foldOf(stand.workspace)).groups.get("Finance")).not.toContain(user);
  expect(await signIn(attributes.userName)).toEqual({ status: "refused", code: "disabled" });
});

test("a first sign-in with the directory's address links the account, once", async () => {
  const { user, attributes } = await created({ userName: "ada", email: `${randomUUID()}@example.com` });
  await groupWith("builders", [user]);
  const address = attributes.email ?? "";
  expect(await signIn(address, { email_verified: false })).toEqual({ status: "refused", code: "email_unverified" });
  expect(await signIn(address)).toMatchObject({ status: "ok", user });
  expect(await rowOf(user)).toEqual({ role: "builder", disabled: false });
  expect(await signIn(address)).toEqual({ status: "refused", code: "unknown" });
  const other = `${randomUUID()}@example.com`;
  expect(await stand.scim({ kind: "provision_user_change", user, changes: { email: other } })).toBe("accepted");
  expect(await signIn(other)).toEqual({ status: "refused", code: "unknown" });
});

test("a first sign-in links no account of several workspaces, whose ledgers would differ", async () => {
  const { user, attributes } = await created();
  await groupWith("builders", [user]);
  const elsewhere = await testWorkspace(urls.admin);
  const join = "insert into membership (workspace_id, user_id, role) values ($1, $2, 'viewer')";
  await asAdmin(urls.admin, join, [elsewhere, user]);
  expect(await signIn(attributes.userName)).toEqual({ status: "refused", code: "unknown" });
  await asAdmin(urls.admin, "delete from membership where workspace_id = $1", [elsewhere]);
  expect(await signIn(attributes.userName)).toMatchObject({ status: "ok", user });
});

test("a row that differs from its record gives no sign-in", async () => {
  const { user } = await created();
  await groupWith("builders", [user]);
  const stolen = `${randomUUID()}@example.com`;
  await asAdmin(urls.admin, "update directory_user set user_name = $2 where user_id = $1", [user, stolen]);
  await asAdmin(urls.admin, "update app_user set email = $2 where id = $1", [user, stolen]);
  expect(await signIn(stolen)).toEqual({ status: "refused", code: "unknown" });
  expect(await stand.scim({ kind: "provision_user_change", user, changes: { displayName: "Eva" } })).toBe("projection_mismatch");
  const { user: linked, attributes } = await created();
  const sub = randomUUID();
  await groupWith("builders", [linked]);
  expect(await signIn(attributes.userName, { sub })).toMatchObject({ status: "ok" });
  await asAdmin(urls.admin, "update directory_user set active = false where user_id = $1", [linked]);
  expect(await signIn(attributes.userName, { sub })).toEqual({ status: "refused", code: "authority_mismatch" });
});

test("an inactive person loses access and sessions at once, whatever the token says of groups, and gets them back when active", async () => {
  const { user, attributes } = await created();
  await groupWith("reviewers", [user]);
  expect(await signIn(attributes.userName)).toMatchObject({ status: "ok" });
  await openTestSession(urls.admin, user);
  expect(await stand.scim({ kind: "provision_user_change", user, changes: { active: false } })).toBe("accepted");
  expect(await rowOf(user)).toMatchObject({ disabled: true });
  expect(await queryOn(urls.admin, "select 1 from session where user_id = $1 and revoked_at is null", [user])).toEqual([]);
  expect((await lastRecord()).control).toContainEqual(expect.objectContaining({ area: "sessions", step: "all_ended", subject: user }));
  await groupWith("builders", [user]);
  expect(await rowOf(user)).toMatchObject({ disabled: true });
  expect(await stand.scim({ kind: "provision_user_change", user, changes: { active: true } })).toBe("accepted");
  expect(await rowOf(user)).toEqual({ role: "reviewer", disabled: false });
});

test("an admin's disabling stands", async () => {
  const { user } = await created();
  await groupWith("reviewers", [user]);
  expect(await send(stand.workspace, userAuthor(stand.admin.id), { kind: "people_disable", user })).toBe("accepted");
  await stand.scim({ kind: "provision_user_change", user, changes: { active: false } });
  await stand.scim({ kind: "provision_user_change", user, changes: { active: true } });
  await groupWith("builders", [user]);
  expect(await rowOf(user)).toMatchObject({ disabled: true });
});

test("a deleted person keeps account and history, leaves all groups, and comes back as the same account", async () => {
  const { user, attributes } = await created();
  const group = await groupWith("builders", [user]);
  expect(await stand.scim({ kind: "provision_user_delete", user })).toBe("accepted");
  expect(await rowOf(user)).toMatchObject({ disabled: true });
  expect(await queryOn(urls.admin, "select 1 from directory_user where user_id = $1", [user])).toEqual([]);
  expect((await foldOf(stand.workspace)).directory.provision.groups.get(group)?.people.has(user)).toBe(false);
  expect(await stand.scim({ kind: "provision_user_delete", user })).toBe("not_found");
  expect(await stand.scim({ kind: "provision_user_create", user: randomUUID(), attributes })).toBe("accepted");
  expect(await queryOn(urls.admin, "select user_id::text as id from directory_user where user_name = $1", [attributes.userName])).toEqual([
    { id: user },
  ]);
  expect(await rowOf(user)).toMatchObject({ disabled: true });
});

test("an address or name of another account is refused, with a password or without", async () => {
  const { user, attributes } = await created();
  const invited = await newMember(stand.workspace, "viewer");
  await recordRows(plane, stand.workspace);
  const elsewhere = await newMember(await testWorkspace(urls.admin), "viewer");
  for (const email of [stand.admin.email, invited.email, elsewhere.email]) {
    const body = { kind: "provision_user_create", user: randomUUID(), attributes: described({ email }) } as const;
    expect(await stand.scim(body)).toBe("person_known");
    expect(await stand.scim({ kind: "provision_user_change", user, changes: { email } })).toBe("person_known");
  }
  const twin = described({ userName: attributes.userName.toUpperCase(), email: `${randomUUID()}@example.com` });
  expect(await stand.scim({ kind: "provision_user_create", user: randomUUID(), attributes: twin })).toBe("person_known");
});

test("an account of single sign-on becomes the directory's, and keeps its access until a group decides", async () => {
  const on = await newStand();
  const email = `${randomUUID()}@example.com`;
  const sub = randomUUID();
  const answer = await signIn(email, { sub, groups: ["reviewers"] });
  const user = answer.status === "ok" ? answer.user : "";
  expect(await queryOn(urls.admin, "select 1 from membership where user_id = $1", [user])).toHaveLength(1);
  const [{ workspace }] = (await queryOn(urls.admin, "select workspace_id::text as workspace from membership where user_id = $1", [
    user,
  ])) as [{ workspace: string }];
  const home = workspace === on.workspace ? on : stand;
  const body = { kind: "provision_user_create", user: randomUUID(), attributes: described({ email }) } as const;
  expect(await home.scim(body)).toBe("accepted");
  expect(await rowOf(user)).toEqual({ role: "reviewer", disabled: false });
  await groupWith("builders", [user], home);
  expect(await rowOf(user)).toEqual({ role: "builder", disabled: false });
  expect(await signIn(email, { sub, groups: ["reviewers"] })).toMatchObject({ status: "ok" });
  expect(await rowOf(user)).toEqual({ role: "builder", disabled: false });
});

test("the last admin stays, and the directory's other changes are made", async () => {
  const on = await newStand();
  expect(await setMapping(on.workspace, on.admin.id, WITH_ADMINS)).toBe("accepted");
  const asked = computeDirectoryDigest(WITH_ADMINS);
  expect(await send(on.workspace, userAuthor(on.second.id), { kind: "directory_confirm", asked })).toBe("accepted");
  expect(await on.scim({ kind: "provision_user_create", user: randomUUID(), attributes: described() })).toBe("principal_not_allowed");
  const confirm = { kind: "directory_token_confirm", token: on.token.id } as const;
  expect(await send(on.workspace, userAuthor(on.admin.id), confirm)).toBe("policy_second_person");
  expect(await send(on.workspace, userAuthor(on.second.id), confirm)).toBe("accepted");
  const [one, two] = [await created({}, on), await created({}, on)];
  const group = await groupWith("root", [one.user, two.user], on);
  expect(await rowOf(one.user)).toEqual({ role: "admin", disabled: false });
  for (const id of [on.admin.id, on.second.id]) {
    await send(on.workspace, userAuthor(one.user), { kind: "people_disable", user: id });
  }
  expect(await on.scim({ kind: "provision_group_change", group, members: [{ op: "replace", people: [] }] })).toBe("accepted");
  const standing = await Promise.all([one.user, two.user].map(rowOf));
  expect(standing.filter((row) => row?.["disabled"] === false)).toEqual([{ role: "admin", disabled: false }]);
  const last = standing[0]?.["disabled"] === false ? one.user : two.user;
  expect((await foldOf(on.workspace)).directory.provision.refused).toMatchObject([
    { code: "last_admin", kind: "provision_access", subject: last },
  ]);
  expect(await on.scim({ kind: "provision_user_change", user: last, changes: { active: false } })).toBe("last_admin");
  expect(await on.scim({ kind: "provision_user_delete", user: last })).toBe("last_admin");
  expect(await queryOn(urls.admin, "select active from directory_user where user_id = $1", [last])).toEqual([{ active: true }]);
});

test("a token changes nothing but its own workspace's directory, and nothing once ended, expired or forged", async () => {
  const { workspace, admin, token } = stand;
  const body = () => ({ kind: "provision_user_create", user: randomUUID(), attributes: described() }) as const;
  const other = await newStand();
  expect(await send(workspace, other.token.author, body())).toBe("principal_not_allowed");
  const forged = { ...token.author, key: generateSessionSeed() };
  expect(await send(workspace, forged, body())).toBe("command_forged");
  expect(await send(workspace, token.author, { kind: "people_disable", user: admin.id })).toBe("scope_missing");
  expect(await send(workspace, token.author, { kind: "directory_token_end", token: token.id })).toBe("scope_missing");
  expect(await send(workspace, token.author, { kind: "group_set", group: "Finance", was: [], people: [admin.id] })).toBe("scope_missing");
  const short = await makeToken(workspace, admin.id, 1);
  expect(await send(workspace, short.author, body())).toBe("principal_not_allowed");
  const spare = await makeToken(workspace, admin.id);
  expect(await send(workspace, spare.author, body())).toBe("accepted");
  expect(await send(workspace, userAuthor(admin.id), { kind: "directory_token_end", token: spare.id })).toBe("accepted");
  expect(await send(workspace, spare.author, body())).toBe("principal_not_allowed");
  expect(await stand.scim(body())).toBe("accepted");
});

test("only admins make tokens, and no demo has any", async () => {
  const { workspace } = stand;
  const builder = await newMember(workspace, "builder");
  await recordRows(plane, workspace);
  expect((await makeToken(workspace, builder.id)).code).toBe("principal_not_allowed");
  const demo = await testWorkspace(urls.admin);
  await asAdmin(urls.admin, "update workspace set demo = true where id = $1", [demo]);
  await asAdmin(urls.admin, "insert into approval_policy (workspace_id, approvals) values ($1, 'graph')", [demo]);
  const admin = await newMember(demo, "admin");
  await recordRows(plane, demo);
  expect((await makeToken(demo, admin.id)).code).toBe("step_refused");
});

test("the runner renames only people whom the directory describes, and who are in no other workspace", async () => {
  const { user } = await created({ displayName: "Ada" });
  const rename = "select rename_directory_user($1, $2, 'Eva', $3)";
  const nameOf = async (id: string) => (await queryOn(urls.admin, "select name from app_user where id = $1", [id]))[0];
  await queryOn(urls.runner, rename, [stand.workspace, stand.admin.id, "eva@example.com"]);
  expect(await nameOf(stand.admin.id)).toEqual({ name: "Sample user" });
  expect(await stand.scim({ kind: "provision_user_change", user, changes: { displayName: "Uma" } })).toBe("accepted");
  expect(await nameOf(user)).toEqual({ name: "Uma" });
  await asAdmin(urls.admin, "insert into membership (workspace_id, user_id, role) values ($1, $2, 'viewer')", [
    await testWorkspace(urls.admin),
    user,
  ]);
  expect(await stand.scim({ kind: "provision_user_change", user, changes: { displayName: "Eva" } })).toBe("accepted");
  expect(await nameOf(user)).toEqual({ name: "Uma" });
});

test("a stale version, an unknown member and a taken name change nothing", async () => {
  const { user } = await created();
  const group = await groupWith(`group ${randomUUID()}`, []);
  const { seq = 0, name = "" } = (await foldOf(stand.workspace)).directory.provision.groups.get(group) ?? {};
  expect(await stand.scim({ kind: "provision_group_change", group, match: seq - 1, members: [] })).toBe("group_changed");
  expect(await stand.scim({ kind: "provision_group_change", group, match: seq, members: [{ op: "add", people: [randomUUID()] }] })).toBe(
    "directory_member_unknown",
  );
  expect(await stand.scim({ kind: "provision_user_change", user, match: 0, changes: { active: false } })).toBe("person_changed");
  expect(
    await stand.scim({ kind: "provision_group_create", group: randomUUID(), name: name.toUpperCase(), externalId: null, people: [] }),
  ).toBe("group_name_taken");
  expect((await foldOf(stand.workspace)).directory.provision.groups.get(group)?.seq).toBe(seq);
});
