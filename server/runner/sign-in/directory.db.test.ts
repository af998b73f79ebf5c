import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { computeDirectoryDigest, type Directory } from "@/lib/people/directory";
import type { DirectoryCommand } from "@/lib/people/directory-command";
import { digestOf } from "@/lib/hash";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import type { SignInAnswer } from "@/lib/people/sign-in";
import type { Role } from "@/lib/roles";
import { startProvider } from "@/server/auth/testing/provider";
import { asAdmin, testWorkspace } from "@/server/mcp/testing/registered";
import { recordAttempts } from "@/server/runner/attempts";
import { confirmDirectoryAsOperator } from "@/server/runner/directory";
import { createIdTokenVerifier } from "@/server/runner/sign-in/id-token";
import { signInWithIdentity } from "@/server/runner/sign-in/identity";
import { generateSessionSeed, getPublicKey } from "@/server/security/session-key";
import { recordRows, testControlPlane, userAuthor, writeCommand } from "@/server/testing/authority";
import { queryOn } from "@/server/testing/connections";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");
const plane = await testControlPlane();
const provider = await startProvider();
const deps = { ...plane, verifyIdToken: createIdTokenVerifier(plane, provider.settings()) };

const DIRECTORY: Directory = {
  claim: "https://id.example.com/groups",
  newcomers: true,
  otherwise: null,
  rules: [
    { group: "reviewers", role: "reviewer", approvers: ["Finance"] },
    { group: "builders", role: "builder", approvers: [] },
  ],
};
const WITH_ADMINS: Directory = { ...DIRECTORY, rules: [...DIRECTORY.rules, { group: "root", role: "admin", approvers: [] }] };

let workspace: string;
let admin: string;
let second: string;

const newMember = async (role: Role): Promise<string> => {
  const id = randomUUID();
  await asAdmin(urls.admin, "insert into app_user (id, email, name) values ($1, $2, 'Sample user')", [id, `${id}@example.com`]);
  await asAdmin(urls.admin, "insert into membership (workspace_id, user_id, role) values ($1, $2, $3)", [workspace, id, role]);

  return id;
};

const send = async (user: string, body: DirectoryCommand | { kind: "group_set"; group: string; was: null; people: string[] }) => {
  const runId = getWorkspaceLedgerId(workspace);
  const id = await writeCommand(urls.admin, plane, { workspace, runId, author: userAuthor(user), body });
  await recordAttempts(plane, workspace, runId);
  const [row] = await queryOn<{ status: string; code: string | null }>(
    urls.admin,
    "select status, outcome -> 'refusal' ->> 'code' as code from command where id = $1",
    [id],
  );

  return row?.code ?? row?.status;
};
const setDirectory = async (directory: Directory | null) => {
  const { inForce } = (await plane.authority.read(workspace)).approvers.directory;

  return send(admin, { kind: "directory_set", was: inForce && computeDirectoryDigest(inForce.directory), directory });
};

beforeAll(async () => {
  // Older, and not in its records.
  await testWorkspace(urls.admin);
  workspace = await testWorkspace(urls.admin);
  // Tests have no passkeys.
  await asAdmin(urls.admin, "insert into approval_policy (workspace_id, approvals) values ($1, 'graph')", [workspace]);
  [admin, second] = [await newMember("admin"), await newMember("admin")];
  await recordRows(plane, workspace);
  await send(admin, { kind: "group_set", group: "Finance", was: null, people: [] });
  await setDirectory(DIRECTORY);
});

type Person = { readonly sub: string; readonly email: string; readonly email_verified: boolean };
const newPerson = (): Person => ({ sub: randomUUID(), email: `${randomUUID()}@example.com`, email_verified: true });

let lastToken = "";

const comes = async (person: Person, groups: unknown): Promise<SignInAnswer> => {
  const token = await provider.tokenOf({ ...person, [DIRECTORY.claim]: groups });
  lastToken = token;
  const session = { public_key: getPublicKey(generateSessionSeed()), address: "203.0.113.x", user_agent: "Test" };

  return signInWithIdentity(deps, { type: "identity", token, ...session });
};
const admitted = async (person: Person, groups: unknown): Promise<string> => {
  const answer = await comes(person, groups);
  if (answer.status !== "ok") throw new Error(JSON.stringify(answer));

  return answer.user;
};
const refused = (code: string) => ({ status: "refused", code });
const rowOf = async (user: string) => {
  const sql = `select role, auditor, disabled_at is not null as disabled from membership join app_user on id = user_id where user_id = $1`;

  return (await queryOn(urls.admin, sql, [user]))[0];
};
const financeOf = async () => (await plane.authority.read(workspace)).approvers.groups.get("Finance");
const lastRecord = async () => {
  const sql = "select body from ledger_record where workspace_id = $1 and run_id = $2 order by seq desc limit 1";
  const [row] = await queryOn<{ body: string }>(urls.admin, sql, [workspace, getWorkspaceLedgerId(workspace)]);

  return JSON.parse(row?.body ?? "null") as { principal: unknown; control: Record<string, unknown>[]; refusal: unknown };
};

test("a newcomer gets an account by their groups, on a record that names mapping and token", async () => {
  const user = await admitted(newPerson(), ["reviewers", "other"]);
  expect(await rowOf(user)).toEqual({ role: "reviewer", auditor: false, disabled: false });
  expect(await financeOf()).toContain(user);
  const { principal, control } = await lastRecord();
  const { seq } = (await plane.authority.read(workspace)).approvers.directory.inForce ?? { seq: null };
  expect(principal).toMatchObject({ type: "engine" });
  expect(control).toContainEqual({
    type: "directory_synced",
    user,
    mapping: seq,
    token: digestOf("proof", { payload: lastToken.split(".")[1] ?? "" }),
    given: true,
    joins: ["Finance"],
    leaves: [],
  });
});

test("a lost group takes role and approver group, ends sessions and tokens, and gives nothing back but with the group", async () => {
  const person = newPerson();
  const user = await admitted(person, ["reviewers"]);
  expect(await comes(person, [])).toEqual(refused("disabled"));
  expect(await rowOf(user)).toEqual({ role: "reviewer", auditor: false, disabled: true });
  expect(await financeOf()).not.toContain(user);
  expect(await queryOn(urls.admin, "select 1 from session where user_id = $1 and revoked_at is null", [user])).toEqual([]);
  expect((await lastRecord()).control).toContainEqual(expect.objectContaining({ area: "sessions", step: "all_ended", subject: user }));
  expect(await comes(person, ["unmapped"])).toEqual(refused("disabled"));
  expect(await admitted(person, ["builders"])).toBe(user);
  expect(await rowOf(user)).toEqual({ role: "builder", auditor: false, disabled: false });
});

test("groups can't undo an admin's disabling", async () => {
  const person = newPerson();
  const user = await admitted(person, ["builders"]);
  const runId = getWorkspaceLedgerId(workspace);
  const body = { kind: "people_disable", user } as const;
  await writeCommand(urls.admin, plane, { workspace, runId, author: userAuthor(admin), body });
  await recordAttempts(plane, workspace, runId);
  expect(await rowOf(user)).toMatchObject({ disabled: true });
  expect(await comes(person, ["reviewers"])).toEqual(refused("disabled"));
  expect(await rowOf(user)).toMatchObject({ role: "builder", disabled: true });
});

test("no account without a mapped group, a verified address, a free address, or readable groups", async () => {
  const known = newPerson();
  await asAdmin(urls.admin, "insert into app_user (id, email, name, password_hash) values ($1, $2, 'Sample user', 'argon2id')", [
    randomUUID(),
    known.email,
  ]);
  const people = "select count(*)::int as n from app_user";
  const [before] = await queryOn(urls.admin, people);
  expect(await comes(newPerson(), [])).toEqual(refused("unknown"));
  expect(await comes(newPerson(), { reviewers: true })).toEqual(refused("unknown"));
  expect(await comes({ ...newPerson(), email_verified: false }, ["reviewers"])).toEqual(refused("email_unverified"));
  expect(await comes(known, ["reviewers"])).toEqual(refused("email_known"));
  expect(await comes({ ...newPerson(), email: `${admin}@example.com` }, ["reviewers"])).toEqual(refused("unknown"));
  expect((await queryOn(urls.admin, people))[0]).toEqual(before);
  const member = newPerson();
  const user = await admitted(member, ["builders"]);
  expect(await comes(member, { reviewers: true })).toEqual(refused("groups_unreadable"));
  expect(await rowOf(user)).toMatchObject({ role: "builder", disabled: false });
});

test("groups make admins only once a second admin, or the operator, confirmed exactly that", async () => {
  expect(await setDirectory(WITH_ADMINS)).toBe("accepted");
  const person = newPerson();
  expect(await comes(person, ["root"])).toEqual(refused("unknown"));
  const asked = computeDirectoryDigest(WITH_ADMINS);
  expect(await send(admin, { kind: "directory_confirm", asked })).toBe("policy_second_person");
  expect(await send(second, { kind: "directory_confirm", asked })).toBe("accepted");
  expect(await rowOf(await admitted(person, ["root"]))).toMatchObject({ role: "admin" });

  const wider: Directory = { ...WITH_ADMINS, otherwise: "builder" };
  expect(await setDirectory(wider)).toBe("accepted");
  expect(await comes(newPerson(), [])).toEqual(refused("unknown"));
  expect(await confirmDirectoryAsOperator(plane, plane.authority, workspace)).toBe(true);
  expect(await confirmDirectoryAsOperator(plane, plane.authority, workspace)).toBe(false);
  expect(await rowOf(await admitted(newPerson(), []))).toMatchObject({ role: "builder" });
  expect(await setDirectory(DIRECTORY)).toBe("accepted");
});

test("people with a password keep what an admin gave them, whatever their groups", async () => {
  const person = newPerson();
  const user = await newMember("viewer");
  await asAdmin(urls.admin, "update app_user set password_hash = 'argon2id' where id = $1", [user]);
  await asAdmin(urls.admin, "insert into identity (issuer, subject, user_id) values ($1, $2, $3)", [provider.issuer, person.sub, user]);
  await recordRows(plane, workspace);
  for (const groups of [["reviewers"], [], { reviewers: true }]) expect(await admitted(person, groups)).toBe(user);
  expect(await rowOf(user)).toEqual({ role: "viewer", auditor: false, disabled: false });
});

test("rows written beside the records give nothing", async () => {
  const person = newPerson();
  const user = await admitted(person, ["builders"]);
  await asAdmin(urls.admin, "update membership set role = 'admin' where user_id = $1", [user]);
  await expect(comes(person, ["builders"])).resolves.toEqual(refused("authority_mismatch"));
  await asAdmin(urls.admin, "update membership set role = 'builder' where user_id = $1", [user]);
  const outsider = newPerson();
  await asAdmin(urls.admin, "insert into identity (issuer, subject, user_id) values ($1, $2, $3)", [provider.issuer, outsider.sub, second]);
  expect(await comes(outsider, ["reviewers"])).toEqual(refused("authority_mismatch"));
  expect(await rowOf(second)).toMatchObject({ role: "admin" });
});

test("without a mapping newcomers stay out, and members stay", async () => {
  const person = newPerson();
  const user = await admitted(person, ["reviewers"]);
  expect(await setDirectory(null)).toBe("accepted");
  expect(await comes(newPerson(), ["reviewers"])).toEqual(refused("unknown"));
  expect(await admitted(person, [])).toBe(user);
  expect(await rowOf(user)).toMatchObject({ role: "reviewer", disabled: false });
});
