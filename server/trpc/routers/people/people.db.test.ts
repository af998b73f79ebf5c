import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { AppError } from "@/lib/errors";
import { hashPassword } from "@/server/auth/password";
import { signInWithPassword } from "@/server/auth/password-sign-in";
import { findSignedIn, type SessionClaims } from "@/server/auth/session";
import { hashSetupToken, generateSetupToken } from "@/server/auth/setup-token";
import { asAdmin, testWorkspace } from "@/server/mcp/testing/registered";
import { answeringPlane } from "@/server/testing/answering";
import { recordRows } from "@/server/testing/authority";
import { callerAs } from "@/server/testing/caller";
import { queryOn } from "@/server/testing/connections";
import { beginTestSession } from "@/server/testing/session";
import { testDatabase } from "@/server/testing/database";
import { createCaller } from "@/server/trpc/root";

const urls = await testDatabase("admin");
const plane = await answeringPlane(urls.admin);
const workspace = await testWorkspace(urls.admin);
const PASSWORD = "a long enough password";
const passwordHash = await hashPassword(PASSWORD);
const VISIT = { address: "203.0.113.x", userAgent: "Test" };

const anybody = () => createCaller({ requestId: "test", address: randomUUID(), host: "localhost", signedIn: async () => null });

const newMember = async (where = workspace): Promise<{ id: string; email: string }> => {
  const id = randomUUID();
  const email = `${id}@example.com`;
  await asAdmin(urls.admin, "insert into app_user (id, email, name, password_hash) values ($1, $2, 'Sample user', $3)", [
    id,
    email,
    passwordHash,
  ]);
  await asAdmin(urls.admin, "insert into membership (workspace_id, user_id, role) values ($1, $2, 'builder')", [where, id]);
  await recordRows(plane, where);

  return { id, email };
};
const signIn = (userId: string): Promise<SessionClaims> => beginTestSession(userId, VISIT, null);
const callerOf = (claims: SessionClaims) =>
  createCaller({ requestId: "test", address: "test", host: "localhost", signedIn: () => findSignedIn(claims) });

type Invite = { readonly email?: string; readonly life?: string; readonly revoked?: boolean; readonly auditor?: boolean };

const invited = async ({ email = `${randomUUID()}@example.com`, life = "1 hour", revoked = false, auditor = false }: Invite = {}) => {
  const token = generateSetupToken();
  await asAdmin(
    urls.admin,
    `insert into invite (id, workspace_id, hash, email, role, auditor, created_by, created_at, expires_at, revoked_at)
     values ($1, $2, $3, $4, 'reviewer', $5, $1, now(), now() + $6::interval, case when $7 then now() end)`,
    [randomUUID(), workspace, hashSetupToken(token), email, auditor, life, revoked],
  );
  await recordRows(plane, workspace);

  return { token, email };
};
const codeOf = async (call: Promise<unknown>): Promise<string> => {
  try {
    await call;
  } catch (error) {
    return error instanceof Error && error.cause instanceof AppError ? error.cause.code : String(error);
  }

  return "none";
};
const form = (token: string) => ({ token, name: "New Here", password: PASSWORD });

test("an invite lets one person in with its role, who then signs in by password", async () => {
  const { token, email } = await invited({ auditor: true });
  expect((await anybody().join.check({ token })).invite).toMatchObject({ email, role: "reviewer", auditor: true });
  expect(await anybody().join.accept(form(token))).toEqual({ email });
  const outcome = await signInWithPassword({ email, password: PASSWORD }, "192.0.2.2");
  if (outcome.status !== "ok") throw new Error("the new member cannot sign in");

  expect(await findSignedIn(await signIn(outcome.claims.userId))).toMatchObject({
    role: "reviewer",
    auditor: true,
    workspace: { id: workspace },
    user: { name: "New Here" },
  });
  expect((await anybody().join.check({ token })).invite).toBeNull();
  expect(await codeOf(anybody().join.accept(form(token)))).toBe("invite_invalid");
});

test("concurrent uses make one account", async () => {
  const { token, email } = await invited();
  const codes = await Promise.all([1, 2, 3].map(() => codeOf(anybody().join.accept(form(token)))));

  expect(codes.filter((code) => code === "none")).toHaveLength(1);
  expect(codes.filter((code) => code === "invite_invalid")).toHaveLength(2);
  expect(await queryOn(urls.admin, "select 1 from app_user where email = $1", [email])).toHaveLength(1);
});

test.each([{ life: "-1 second" }, { revoked: true }])("rejects an expired or revoked invite: %o", async (over) => {
  const { token, email } = await invited(over);

  expect((await anybody().join.check({ token })).invite).toBeNull();
  expect(await codeOf(anybody().join.accept(form(token)))).toBe("invite_invalid");
  expect(await queryOn(urls.admin, "select 1 from app_user where email = $1", [email])).toEqual([]);
});

test("an invite to an existing account's address answers as if used up", async () => {
  const { id, email } = await newMember(await testWorkspace(urls.admin));
  const { token } = await invited({ email });

  expect(await codeOf(anybody().join.accept(form(token)))).toBe("invite_invalid");
  expect(await queryOn(urls.admin, "select workspace_id from membership where user_id = $1", [id])).toHaveLength(1);
});

test.each([
  ["with another role than on record", "update invite set role = 'admin', hash = $2 where email = $1", false],
  ["that is on no record", "update invite set id = gen_random_uuid(), hash = $2 where email = $1", false],
  ["whose link is not the one on record", "update invite set hash = $2 where email = $1", true],
])("an invite %s is hidden", async (_how, sql, isOtherLink) => {
  const { token: own, email } = await invited();
  expect((await anybody().join.check({ token: own })).invite).toMatchObject({ email });
  const token = isOtherLink ? generateSetupToken() : own;
  await asAdmin(urls.admin, "alter table invite disable trigger user");
  await asAdmin(urls.admin, sql, [email, hashSetupToken(token)]);

  expect((await anybody().join.check({ token })).invite).toBeNull();
  expect(await codeOf(anybody().join.accept(form(token)))).toBe("invite_invalid");
});

test("the stored hash and a short password are rejected", async () => {
  const { token } = await invited();

  expect(await codeOf(anybody().join.accept(form(hashSetupToken(token))))).toBe("invite_invalid");
  await expect(anybody().join.accept({ ...form(token), password: "eleven char" })).rejects.toThrow("At least 12");
  expect((await anybody().join.check({ token })).invite).not.toBeNull();
});

test("link attempts are limited per address, successful ones too", async () => {
  const caller = anybody();
  for (let attempt = 0; attempt < 30; attempt += 1) await caller.join.check({ token: "wrong" });
  const { token } = await invited();

  expect(await codeOf(caller.join.check({ token }))).toBe("rate_limited");
  expect(await codeOf(caller.join.accept(form(token)))).toBe("rate_limited");
});

test("the list has members and invites without hashes", async () => {
  const { id } = await newMember();
  const stranger = await newMember(await testWorkspace(urls.admin));
  const { email, token } = await invited();
  await signIn(id);
  const { members, invites } = await callerAs(workspace, "admin").people.list();
  const said = JSON.stringify({ members, invites });

  expect(members.find((member) => member.id === id)).toMatchObject({
    role: "builder",
    sessions: 1,
    signsInBy: "password",
    disabledAt: null,
  });
  expect(invites.find((invite) => invite.email === email)).toMatchObject({ status: "open", role: "reviewer" });
  expect([said.includes(hashSetupToken(token)), said.includes(passwordHash), said.includes(stranger.id)]).toEqual([false, false, false]);
  expect(await codeOf(callerAs(workspace, "admin").people.sessions({ userId: stranger.id }))).toBe("not_found");
});

test("a wrong password proves nothing and counts; the right one refreshes only this session", async () => {
  const { id } = await newMember();
  const [one, other] = [await signIn(id), await signIn(id)];
  const caller = callerOf(one);
  expect(await codeOf(caller.session.prove({ password: "not the password" }))).toBe("forbidden");
  expect(await codeOf(caller.session.prove({ password: null }))).toBe("forbidden");
  expect((await findSignedIn(one))?.session.provedAtMs).toBeNull();
  const before = Date.now();
  await caller.session.prove({ password: PASSWORD });

  expect((await findSignedIn(one))?.session.provedAtMs).toBeGreaterThanOrEqual(before);
  expect((await findSignedIn(other))?.session.provedAtMs).toBeNull();
});

test("after ten wrong proofs the right one is rejected; knowing an address blocks no one", async () => {
  const { id } = await newMember();
  const caller = callerOf(await signIn(id));
  for (let attempt = 0; attempt < 10; attempt += 1) await codeOf(caller.session.prove({ password: "not the password" }));

  expect(await codeOf(caller.session.prove({ password: PASSWORD }))).toBe("rate_limited");
  const other = await newMember();
  for (let attempt = 0; attempt < 11; attempt += 1) await signInWithPassword({ email: other.email, password: "a guess" }, "192.0.2.1");
  expect(await signInWithPassword({ email: other.email, password: PASSWORD }, "192.0.2.1")).toEqual({ status: "rate_limited" });
  expect(await codeOf(callerOf(await signIn(other.id)).session.prove({ password: PASSWORD }))).toBe("none");
});

test("changing a password ends all other sessions and replaces the old password", async () => {
  const { id, email } = await newMember();
  const [here, elsewhere] = [await signIn(id), await signIn(id)];
  expect(await codeOf(callerOf(here).session.changePassword({ current: "wrong", next: "another long password" }))).toBe("forbidden");
  expect(await callerOf(here).session.changePassword({ current: PASSWORD, next: "another long password" })).toEqual({ ended: 1 });

  expect([(await findSignedIn(here)) !== null, await findSignedIn(elsewhere)]).toEqual([true, null]);
  expect((await signInWithPassword({ email, password: PASSWORD }, "192.0.2.2")).status).toBe("denied");
  expect((await signInWithPassword({ email, password: "another long password" }, "192.0.2.2")).status).toBe("ok");
});

test("people end only their own sessions", async () => {
  const [one, other] = [await newMember(), await newMember()];
  const [here, there, theirs] = [await signIn(one.id), await signIn(one.id), await signIn(other.id)];
  expect(await codeOf(callerOf(here).session.end({ sessionId: theirs.sessionId }))).toBe("not_found");
  expect(await callerOf(here).session.end({ sessionId: there.sessionId })).toEqual({ ended: 1 });
  expect(await callerOf(here).session.end({ sessionId: null })).toEqual({ ended: 0 });

  expect((await Promise.all([here, there, theirs].map(findSignedIn))).map((who) => who !== null)).toEqual([true, false, true]);
});
