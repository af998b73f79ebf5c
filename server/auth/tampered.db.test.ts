import { generateKeyPairSync, randomUUID } from "node:crypto";
import { describe, expect, test, vi } from "vitest";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { AppError } from "@/lib/errors";
import type { PeopleCommand } from "@/lib/people/command";
import { createCaller } from "@/server/trpc/root";
import { asAdmin, testWorkspace } from "@/server/mcp/testing/registered";
import { collectWebMetrics } from "@/server/metrics";
import { recordAdminStep } from "@/server/runner/admin-ledger";
import { loadSignerFromPem } from "@/server/security/keyring";
import { answeringPlane } from "@/server/testing/answering";
import { openTestSession, recordRows } from "@/server/testing/authority";
import { beginTestSession } from "@/server/testing/session";
import { testDatabase } from "@/server/testing/database";
import { proveSession } from "@/server/web/ask-sign-in";
import { submitCommand } from "@/server/web/submit-command";
import { beginSession } from "./begin-session";
import { signInAsDemo } from "./demo-sign-in";
import { hashPassword } from "./password";
import { startProvider } from "./testing/provider";
import { signInWithPassword } from "./password-sign-in";
import { findSignedIn, type SessionClaims } from "./session";

vi.stubEnv("COUNTERSIGN_LOOPBACK", "1");
vi.stubEnv("LOG_LEVEL", "silent");
const urls = await testDatabase("admin");
const provider = await startProvider();
const plane = await answeringPlane(urls.admin, provider.settings());
const write = (sql: string, values: unknown[]) => asAdmin(urls.admin, sql, values);

const PASSWORD = "a long enough password";
const [passwordHash, otherHash] = [await hashPassword(PASSWORD), await hashPassword("the password of an attacker")];
const HERE = { address: "test", userAgent: "" };

type Member = { readonly role?: string; readonly hash?: string | null; readonly disabled?: boolean };
type Signed = { readonly id: string; readonly email: string; readonly workspace: string; readonly claims: SessionClaims };

const addMember = async (workspace: string, { role = "viewer", hash = passwordHash, disabled = false }: Member = {}): Promise<Signed> => {
  const id = randomUUID();
  const email = `${id}@example.com`;
  await write("insert into app_user (id, email, name, password_hash) values ($1, $2, 'Sample user', $3)", [id, email, hash]);
  await write("insert into membership (workspace_id, user_id, role, disabled_at) values ($1, $2, $3, case when $4 then now() end)", [
    workspace,
    id,
    role,
    disabled,
  ]);
  await recordRows(plane, workspace);

  return { id, email, workspace, claims: await beginTestSession(id, HERE, Date.now()) };
};
const newMember = async (member?: Member) => addMember(await testWorkspace(urls.admin), member);

const change = async (workspace: string, body: PeopleCommand) => {
  const admin = await addMember(workspace, { role: "admin" });
  const author = { type: "user", id: admin.id, session: await openTestSession(urls.admin, admin.id) } as const;
  await submitCommand({ workspaceId: workspace, author, runId: getWorkspaceLedgerId(workspace), body });
};

const codeOf = async (asked: Promise<unknown>): Promise<string> => {
  try {
    await asked;
  } catch (error) {
    const cause = error instanceof AppError ? error : error instanceof Error ? error.cause : error;

    return cause instanceof AppError ? cause.code : String(error);
  }

  return "none";
};

const faults = async (): Promise<number> =>
  Number(/^countersign_authority_faults_total\{reason="projection_mismatch"\} (\d+)$/m.exec((await collectWebMetrics()).text)?.[1] ?? 0);

const callerOf = (claims: SessionClaims) =>
  createCaller({ requestId: "test", address: "test", host: "localhost", signedIn: () => findSignedIn(claims) });

const signIn = (email: string, password = PASSWORD) => signInWithPassword({ email, password }, randomUUID());
const proofOf = ({ userId, sessionId, sessionKey }: SessionClaims, password: string | null) =>
  proveSession(userId, { id: sessionId, key: sessionKey }, password);
const MISMATCH = { status: "authority_mismatch" };

describe("a session", () => {
  test.each([
    ["role", {}, "update membership set role = 'admin' where user_id = $1"],
    ["add-on", {}, "update membership set auditor = true where user_id = $1"],
    ["disabling", { disabled: true }, "update membership set disabled_at = null where user_id = $1"],
    ["demo flag", {}, "update workspace set demo = true where id = (select workspace_id from membership where user_id = $1)"],
  ])("is rejected after an unrecorded write to the %s, with a message and one count", async (_what, member, sql) => {
    const { id, claims } = await newMember(member);
    await write(sql, [id]);
    const before = await faults();

    expect(await codeOf(callerOf(claims).graphs.list())).toBe("authority_mismatch");
    expect(await faults()).toBe(before + 1);
    await expect(findSignedIn(claims)).rejects.toThrow("Your account's record doesn't match the database. Ask an operator.");
  });

  test("of a member known only to the database is rejected", async () => {
    const known = await newMember();
    const id = randomUUID();
    await write("insert into app_user (id, email, name) values ($1, $2, 'Forged user')", [id, `${id}@example.com`]);
    await write("insert into membership (workspace_id, user_id, role) values ($1, $2, 'admin')", [known.workspace, id]);
    const claims = await beginTestSession(id, HERE, null);

    expect(await codeOf(findSignedIn(claims))).toBe("authority_mismatch");
    expect(await findSignedIn(known.claims)).toMatchObject({ role: "viewer" });
  });

  test("is rejected while the workspace's ledger ends with a record under an unknown key", async () => {
    const { id, workspace, claims } = await newMember();
    const signer = loadSignerFromPem(generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString());
    expect(await findSignedIn(claims)).not.toBeNull();
    await recordAdminStep({ clock: plane.clock, signer }, workspace, {
      by: { type: "user", id, role: "admin", auditor: false },
      area: "people",
      subject: id,
      step: "change",
      before: null,
      after: null,
    });

    expect(await codeOf(findSignedIn(claims))).toBe("authority_mismatch");
  });

  test("gets a commanded role at once, and is rejected after its person is disabled", async () => {
    const { id, workspace, claims } = await newMember();
    const standing = { role: "builder", auditor: true } as const;
    await findSignedIn(claims);
    await change(workspace, { kind: "people_change", user: id, was: { role: "viewer", auditor: false }, standing });
    expect(await findSignedIn(claims)).toMatchObject(standing);
    await change(workspace, { kind: "people_disable", user: id });

    expect(await findSignedIn(claims)).toBeNull();
  });

  test("never mismatches while commands change its role", async () => {
    const { id, workspace, claims } = await newMember();
    const over = new AbortController();
    const looking = (async () => {
      while (!over.signal.aborted) await findSignedIn(claims);
    })();
    for (const [was, role] of [
      ["viewer", "builder"],
      ["builder", "reviewer"],
      ["reviewer", "viewer"],
    ] as const)
      await change(workspace, {
        kind: "people_change",
        user: id,
        was: { role: was, auditor: false },
        standing: { role, auditor: false },
      });
    over.abort();

    await expect(looking).resolves.toBeUndefined();
  });
});

describe("a password", () => {
  test("counts only while its hash is in force, at sign-in and as step-up", async () => {
    const { id, email, claims } = await newMember({ role: "admin" });
    await write("update app_user set password_hash = $2 where id = $1", [id, otherHash]);

    expect(await signIn(email, "the password of an attacker")).toEqual(MISMATCH);
    expect(await signIn(email)).toEqual({ status: "denied" });
    expect(await codeOf(proofOf(claims, "the password of an attacker"))).toBe("authority_mismatch");
  });

  test("opens no other account, whether its hash or address was moved", async () => {
    const [mine, admin] = [await newMember(), await newMember({ role: "admin", hash: null })];
    await write("update app_user set password_hash = $2 where id = $1", [admin.id, passwordHash]);
    expect(await signIn(admin.email)).toEqual(MISMATCH);
    await write("update app_user set email = $2 where id = $1", [mine.id, `${randomUUID()}@example.com`]);
    await write("update app_user set email = $2 where id = $1", [admin.id, mine.email]);

    expect(await signIn(mine.email)).toEqual(MISMATCH);
  });

  test("of a person re-enabled in the database is rejected", async () => {
    const { id, email } = await newMember({ disabled: true });
    expect(await signIn(email)).toEqual({ status: "denied" });
    await write("update membership set disabled_at = null where user_id = $1", [id]);

    expect(await signIn(email)).toEqual(MISMATCH);
  });

  test("works at once when its person sets it, and the previous one stops", async () => {
    const { email, claims } = await newMember();
    await callerOf(claims).session.changePassword({ current: PASSWORD, next: "another long password" });

    expect(await signIn(email, "another long password")).toMatchObject({ status: "ok" });
    expect(await signIn(email)).toEqual({ status: "denied" });
  });

  test("is not replaced by a button for an account the database marks as demo", async () => {
    const { id, claims } = await newMember({ hash: null });
    await write("update app_user set demo = true where id = $1", [id]);
    expect(await codeOf(proofOf(claims, null))).toBe("forbidden");
    const withPassword = await newMember();
    await write("update app_user set demo = true, password_hash = null where id = $1", [withPassword.id]);

    expect(await codeOf(proofOf(withPassword.claims, null))).toBe("authority_mismatch");
  });
});

test("rejects the admin of a workspace that the database marks as demo", async () => {
  const { id, workspace } = await newMember({ role: "admin", hash: null });
  await write("update app_user set demo = true where id = $1", [id]);
  await write("update workspace set demo = true where id = $1", [workspace]);
  expect(await signInAsDemo({ role: "admin" }, "localhost", HERE)).toEqual(MISMATCH);
  await recordRows(plane, workspace);
  expect(await signInAsDemo({ role: "admin" }, "localhost", HERE)).toMatchObject({ status: "ok", claims: { userId: id } });
  await write("update membership set role = 'viewer' where user_id = $1", [id]);

  expect(await signInAsDemo({ role: "viewer" }, "localhost", HERE)).toEqual(MISMATCH);
});

describe("an identity", () => {
  const named = async (sub: string) => beginSession({ type: "identity", token: await provider.tokenOf({ sub }) }, HERE);
  const link = (sub: string, user: string) =>
    write("insert into identity (issuer, subject, user_id) values ($1, $2, $3)", [provider.issuer, sub, user]);

  test("linked only in the database signs no one in", async () => {
    const { id } = await newMember({ role: "admin" });
    const sub = randomUUID();
    await link(sub, id);

    expect(await named(sub)).toEqual(MISMATCH);
  });

  test("moved to another account is rejected, and one on record signs in", async () => {
    const [mine, admin] = [await newMember(), await newMember({ role: "admin" })];
    const sub = randomUUID();
    await link(sub, mine.id);
    await recordRows(plane, mine.workspace);
    expect(await named(sub)).toMatchObject({ status: "ok", claims: { userId: mine.id } });
    await write("delete from identity where user_id = $1", [mine.id]);
    await link(sub, admin.id);

    expect(await named(sub)).toEqual(MISMATCH);
  });
});
