import { beforeEach, describe, expect, test, vi } from "vitest";
import { roleSchema, type Role } from "@/lib/roles";
import { getDatabase } from "@/server/db/client";
import { asAdmin } from "@/server/mcp/testing/registered";
import { revokeSession } from "@/server/store/people/sessions";
import { answeringPlane } from "@/server/testing/answering";
import { recordRows } from "@/server/testing/authority";
import { beginTestSession } from "@/server/testing/session";
import { testDatabase } from "@/server/testing/database";
import { signInAsDemo } from "./demo-sign-in";
import { hashPassword } from "./password";
import { signInWithPassword } from "./password-sign-in";
import { findSignedIn, type SessionClaims } from "./session";

vi.stubEnv("COUNTERSIGN_LOOPBACK", "1");
const urls = await testDatabase("admin");
const plane = await answeringPlane(urls.admin);

const password = "a long enough password";
const passwordHash = await hashPassword(password);
const UUID: unknown = expect.stringMatching(/^[0-9a-f-]{36}$/);
const KEY: unknown = expect.stringMatching(/^[\w-]{43}$/);
let serial = 0;

type Options = { readonly role?: Role; readonly demo?: boolean; readonly passwordHash?: string | null };

const createMember = async ({ role = "builder", demo = false, ...rest }: Options = {}) => {
  serial += 1;
  const workspace = await getDatabase().workspace.create({ data: { id: crypto.randomUUID(), name: "Test", demo } });
  const user = await getDatabase().user.create({
    data: {
      id: crypto.randomUUID(),
      email: `user${serial}@test.invalid`,
      name: "Sample user",
      demo,
      passwordHash: rest.passwordHash === undefined ? passwordHash : rest.passwordHash,
    },
  });
  await getDatabase().membership.create({ data: { workspaceId: workspace.id, userId: user.id, role } });
  await recordRows(plane, workspace.id);

  return { user, workspace };
};

const newAddress = (): string => {
  clients += 1;

  return `10.${clients >> 16}.${(clients >> 8) & 255}.${clients & 255}`;
};

let address = "";
let clients = 0;
beforeEach(() => {
  address = newAddress();
});

describe("signing in with a password", () => {
  test("returns the account's claims, whatever the case of the address", async () => {
    const { user } = await createMember();

    expect(await signInWithPassword({ email: ` ${user.email.toUpperCase()}`, password }, address)).toEqual({
      status: "ok",
      claims: { userId: user.id, sessionVersion: 1, sessionId: UUID, sessionKey: KEY },
    });
  });

  test("answers alike for a wrong password, an unknown account, a disabled one and one without a password", async () => {
    const known = await createMember();
    const disabled = await createMember();
    await asAdmin(urls.admin, "update membership set disabled_at = now() where user_id = $1", [disabled.user.id]);
    await recordRows(plane, disabled.workspace.id);
    const withoutPassword = await createMember({ passwordHash: null });
    const attempts = [
      { email: known.user.email, password: "not the password" },
      { email: "unknown@test.invalid", password },
      { email: disabled.user.email, password },
      { email: withoutPassword.user.email, password: "no account has this password" },
      { email: known.user.email, password: "" },
      { email: known.user.email, password, role: "admin" },
      { email: { contains: "@" }, password },
      null,
    ];

    for (const attempt of attempts) expect(await signInWithPassword(attempt, address)).toEqual({ status: "denied" });
  });

  test("rejects after ten wrong attempts on an account from one address, even the right password, but only from there", async () => {
    const { user } = await createMember();
    for (let attempt = 0; attempt < 10; attempt += 1) await signInWithPassword({ email: user.email, password: "wrong" }, address);

    expect(await signInWithPassword({ email: user.email, password }, address)).toEqual({ status: "rate_limited" });
    expect(await signInWithPassword({ email: user.email, password }, newAddress())).toMatchObject({ status: "ok" });
  });

  test("rejects after ten wrong attempts from one IPv6 network, across its addresses", async () => {
    const { user } = await createMember();
    for (let attempt = 0; attempt < 10; attempt += 1)
      await signInWithPassword({ email: user.email, password: "wrong" }, `2001:db8:0:${serial}::${attempt + 1}`);

    expect(await signInWithPassword({ email: user.email, password }, `2001:db8:0:${serial}::ffff`)).toEqual({ status: "rate_limited" });
  });

  test("resets the count after a correct password", async () => {
    const { user } = await createMember();
    const guess = () => signInWithPassword({ email: user.email, password: "wrong" }, address);
    for (let attempt = 0; attempt < 9; attempt += 1) await guess();
    await signInWithPassword({ email: user.email, password }, address);
    for (let attempt = 0; attempt < 9; attempt += 1) await guess();

    expect(await signInWithPassword({ email: user.email, password }, address)).toMatchObject({ status: "ok" });
  });

  test("rejects new addresses after a hundred-address search, but not where its person signed in before", async () => {
    const { user } = await createMember();
    await beginTestSession(user.id, { address: "203.0.113.x", userAgent: "Test" }, Date.now());
    for (let guess = 0; guess < 100; guess += 1) await signInWithPassword({ email: user.email, password: "wrong" }, newAddress());

    expect(await signInWithPassword({ email: user.email, password }, newAddress())).toEqual({ status: "rate_limited" });
    expect(await signInWithPassword({ email: user.email, password }, "203.0.113.9")).toMatchObject({ status: "ok" });
    expect(await signInWithPassword({ email: "unknown@test.invalid", password }, "203.0.113.9")).toEqual({ status: "denied" });
  }, 60_000);

  test("never treats an unknown address as a known one", async () => {
    const { user } = await createMember();
    await beginTestSession(user.id, { address: "unknown", userAgent: "Test" }, Date.now());
    for (let guess = 0; guess < 100; guess += 1) await signInWithPassword({ email: user.email, password: "wrong" }, newAddress());

    expect(await signInWithPassword({ email: user.email, password }, "unknown")).toEqual({ status: "rate_limited" });
  }, 60_000);

  test("rejects after fifty attempts from one address across accounts", async () => {
    for (let attempt = 0; attempt < 50; attempt += 1)
      await signInWithPassword({ email: `guess${attempt}@test.invalid`, password: "x" }, address);
    const { user } = await createMember();

    expect(await signInWithPassword({ email: user.email, password }, address)).toEqual({ status: "rate_limited" });
    expect(await signInWithPassword({ email: user.email, password }, newAddress())).toMatchObject({ status: "ok" });
  });
});

const HERE = { address: "203.0.113.x", userAgent: "Test" };
const signIn = (userId: string): Promise<SessionClaims> => beginTestSession(userId, HERE, Date.now());

describe("a session", () => {
  test("is who the database says, now", async () => {
    const { user, workspace } = await createMember({ role: "viewer" });
    const claims = await signIn(user.id);
    const before = Date.now();
    const who = await findSignedIn(claims);
    expect(who).toEqual({
      user: { id: user.id, name: user.name, email: user.email },
      workspace: { id: workspace.id, name: "Test", demo: false },
      role: "viewer",
      auditor: false,
      session: { id: claims.sessionId, key: claims.sessionKey, provedAtMs: who?.session.provedAtMs },
    });
    expect(Math.abs((who?.session.provedAtMs ?? 0) - before)).toBeLessThan(5_000);

    await asAdmin(urls.admin, "update membership set role = 'reviewer' where user_id = $1", [user.id]);
    await recordRows(plane, workspace.id);
    expect(await findSignedIn(claims)).toMatchObject({ role: "reviewer" });
  });

  test.each([
    ["the user is disabled", "update membership set disabled_at = now() where user_id = $1"],
    ["the session version was raised", "update membership set session_version = 2 where user_id = $1"],
    ["it was revoked", "update session set revoked_at = now() where user_id = $1"],
    [
      "it is older than twelve hours, however much it was used",
      "update session set created_at = now() - interval '12 hours' where user_id = $1",
    ],
  ])("ends when %s", async (_when, sql) => {
    const { user, workspace } = await createMember();
    const claims = await signIn(user.id);
    expect(await findSignedIn(claims)).not.toBeNull();
    await asAdmin(urls.admin, sql, [user.id]);
    await recordRows(plane, workspace.id);

    expect(await findSignedIn(claims)).toBeNull();
  });

  test("revocation is permanent and leaves others open", async () => {
    const { user } = await createMember();
    const [one, other] = [await signIn(user.id), await signIn(user.id)];
    expect(await revokeSession(user.id, one.sessionId, new Date())).toBe(true);
    await expect(asAdmin(urls.admin, "update session set revoked_at = null where id = $1", [one.sessionId])).rejects.toThrow(
      "stays revoked",
    );

    expect(await findSignedIn(one)).toBeNull();
    expect(await findSignedIn(other)).not.toBeNull();
  });

  test("can't be used or revoked by another person", async () => {
    const { user } = await createMember();
    const other = await createMember();
    const claims = await signIn(user.id);

    expect(await findSignedIn({ ...claims, userId: other.user.id })).toBeNull();
    expect(await revokeSession(other.user.id, claims.sessionId, new Date())).toBe(false);
  });

  test("is rejected for an unknown user, one without a workspace, and an unknown role", async () => {
    const { user: alone } = await createMember();
    const { user } = await createMember();
    const [ofAlone, claims] = [await signIn(alone.id), await signIn(user.id)];
    await asAdmin(urls.admin, "delete from membership where user_id = $1", [alone.id]);
    await asAdmin(urls.admin, "update membership set role = 'owner' where user_id = $1", [user.id]);

    expect(await findSignedIn({ ...claims, userId: crypto.randomUUID() })).toBeNull();
    expect(await findSignedIn(ofAlone)).toBeNull();
    expect(await findSignedIn(claims)).toBeNull();
  });
});

describe("the demo accounts", () => {
  test.each(roleSchema.options)("sign anyone on this machine in as %s", async (role) => {
    const { user } = await createMember({ role, demo: true, passwordHash: null });

    expect(await signInAsDemo({ role }, "localhost:3000", HERE)).toMatchObject({ status: "ok", claims: { userId: user.id } });
  });

  test.each(["evil.example", "localhost.evil.example", "10.0.0.5:3000", "127.0.0.1.evil.example", "evil.example:80@localhost", "", null])(
    "are refused under the host name '%s'",
    async (host) => {
      expect(await signInAsDemo({ role: "admin" }, host, HERE)).toEqual({ status: "denied" });
    },
  );

  test("never match a real member with the same role", async () => {
    await asAdmin(urls.admin, "update membership set disabled_at = now() where user_id in (select id from app_user where demo)", []);
    await createMember({ role: "admin" });

    expect(await signInAsDemo({ role: "admin" }, "localhost", HERE)).toEqual({ status: "denied" });
  });
});
