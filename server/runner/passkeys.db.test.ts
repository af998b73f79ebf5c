import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Assertion } from "@/lib/engine/approvals/assertion";
import { countersignatureChallenge, type Countersignable } from "@/lib/engine/ledger/countersignable";
import { createAuthenticator, type Authenticator } from "@/lib/engine/testing/authenticator";
import { verifyLedger } from "@/lib/engine/verify/verify";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import type { WorkspaceCommand } from "@/lib/workspace-command";
import { hashSetupToken } from "@/server/auth/setup-token";
import { testInstallation } from "@/server/mcp/testing/installation";
import { asAdmin } from "@/server/mcp/testing/registered";
import { openLedger } from "@/server/runner/load";
import { allowAsOperator, findBelievedPasskey } from "@/server/runner/passkeys";
import { addMember, openDesk, query, type Desk } from "@/server/runner/testing/desk";
import { atApproval, publishDemanding, registerAllowed, sendOwn } from "@/server/runner/testing/passkeys";
import { ask, customersOf, readRun } from "@/server/runner/testing/run";
import { listPublicKeys } from "@/server/security/trust-anchor";
import { AuthorityUnverified } from "@/server/store/trust/authority";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;
let demanding: string;

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  demanding = await publishDemanding(desk);
}, 120_000);
afterAll(() => desk.mcp.close());

const register = (authenticator: Authenticator, userId = desk.people.reviewer) => registerAllowed(desk, authenticator, userId);
const revoke = ({ passkey: { credential_id } }: Authenticator, userId = desk.people.reviewer) =>
  sendOwn(desk, { kind: "passkey_revoke", credential_id }, userId);
const rowOf = async ({ passkey }: Authenticator) => {
  const [row] = await query<{ user_id: string; revoked_at: Date | null; last_used_at: Date | null }>(
    urls.admin,
    "select user_id, revoked_at, last_used_at from passkey where credential_id = $1",
    [passkey.credential_id],
  );

  return row;
};
const believed = ({ passkey: { credential_id } }: Authenticator, userId = desk.people.reviewer) =>
  findBelievedPasskey(desk.deps, desk.workspace, userId, {
    credential_id,
    authenticator_data: "AA",
    client_data_json: "AA",
    signature: "AA",
  });

describe("a passkey", () => {
  it("is valid from its record on, for its person, until revoked, for good", async () => {
    const authenticator = await createAuthenticator("es256");
    expect(await believed(authenticator)).toBeNull();
    expect((await register(authenticator)).refusal).toBeNull();
    expect(await believed(authenticator)).toEqual(authenticator.passkey);
    expect(await believed(authenticator, desk.people.second)).toBeNull();
    expect(await rowOf(authenticator)).toMatchObject({ user_id: desk.people.reviewer, revoked_at: null });
    expect((await revoke(authenticator, desk.people.second)).refusal?.code).toBe("not_found");
    expect((await revoke(authenticator)).refusal).toBeNull();
    expect(await believed(authenticator)).toBeNull();
    expect((await rowOf(authenticator))?.revoked_at).not.toBeNull();
    expect((await register(authenticator)).refusal?.code).toBe("passkey_exists");
  });

  it("is registered with its signing origin or not at all", async () => {
    const { passkey } = await createAuthenticator("es256");
    const { origin: _left, ...without } = passkey;
    const elsewhere = { ...passkey, origin: "https://evil.example" };
    for (const asked of [without, elsewhere]) {
      const { refusal } = await sendOwn(desk, { kind: "passkey_register", passkey: asked, label: "Laptop" }, desk.people.reviewer);
      expect(refusal?.code).toBe("passkey_invalid");
    }
  });

  it("slipped into the database is invalid", async () => {
    const [mine, theirs] = [await createAuthenticator("es256"), await createAuthenticator("es256")];
    const { seq } = await register(mine);
    await asAdmin(
      urls.admin,
      `insert into passkey (workspace_id, credential_id, user_id, public_key, rp_id, label, created_at, record_seq)
       values ($1, $2, $3, $4, 'localhost', 'Slipped in', now(), $5)`,
      [desk.workspace, theirs.passkey.credential_id, desk.people.reviewer, theirs.passkey.public_key, seq],
    );
    expect(await believed(theirs)).toBeNull();
    // A copy of a genuine record with another key, as the next one.
    await asAdmin(
      urls.admin,
      `insert into ledger_record (workspace_id, run_id, seq, body, digest, kid, signature)
       select workspace_id, run_id, seq + 1000, replace(replace(body, $3, $4), $5, $6), digest, kid, signature
       from ledger_record where run_id = $1 and seq = $2`,
      [
        getWorkspaceLedgerId(desk.workspace),
        seq,
        mine.passkey.credential_id,
        theirs.passkey.credential_id,
        mine.passkey.public_key,
        theirs.passkey.public_key,
      ],
    );
    // The chain is broken, so no passkey is trusted until its repair.
    await expect(believed(theirs)).rejects.toThrow(AuthorityUnverified);
    await query(urls.admin, "alter table ledger_record disable trigger user");
    await asAdmin(urls.admin, "delete from ledger_record where run_id = $1 and seq = $2", [
      getWorkspaceLedgerId(desk.workspace),
      seq + 1000,
    ]);
    await query(urls.admin, "alter table ledger_record enable trigger user");
    expect(await believed(theirs)).toBeNull();
    expect(await believed(mine)).toEqual(mine.passkey);
  });

  it("stays revoked when either its row or its record says so", async () => {
    const [first, second] = [await createAuthenticator("eddsa"), await createAuthenticator("eddsa")];
    await register(first);
    await register(second);
    await revoke(first);
    await query(urls.admin, "alter table passkey disable trigger user");
    await asAdmin(urls.admin, "update passkey set revoked_at = null, revoked_seq = null where credential_id = $1", [
      first.passkey.credential_id,
    ]);
    await query(urls.admin, "alter table passkey enable trigger user");
    expect(await believed(first)).toBeNull();
    await asAdmin(urls.admin, "update passkey set revoked_at = now(), revoked_seq = 1 where credential_id = $1", [
      second.passkey.credential_id,
    ]);
    expect(await believed(second)).toBeNull();
  });

  it("is writable only by the runner; the web process can rename it", async () => {
    const authenticator = await createAuthenticator("es256");
    await register(authenticator);
    const id = authenticator.passkey.credential_id;
    const asWeb = (sql: string) =>
      query(urls.web, `with scoped as (select set_config('countersign.workspace', '${desk.workspace}', true)) ${sql}`);
    await expect(asWeb(`insert into passkey select * from passkey`)).rejects.toThrow(/permission denied/);
    await expect(asWeb(`update passkey set revoked_at = now()`)).rejects.toThrow(/permission denied/);
    await expect(asWeb(`update passkey set public_key = 'x'`)).rejects.toThrow(/permission denied/);
    await expect(query(urls.admin, "delete from passkey where credential_id = $1", [id])).rejects.toThrow(/insert-only/);
    await expect(query(urls.runner, "update passkey set user_id = $1", [desk.people.second])).rejects.toThrow(/permission denied/);
  });
});

describe("an approval that requires a signature", () => {
  it("is refused without the reviewer's passkey and committed with it: one effect, and the ledger names the signer", async () => {
    const authenticator = await createAuthenticator("es256");
    const { run, plain, signedBy } = await atApproval(desk, demanding);
    const signed = await signedBy(authenticator);
    const { applied } = await customersOf(desk);
    expect((await ask(desk, run, desk.people.reviewer, plain)).refusal?.code).toBe("passkey_required");
    expect((await ask(desk, run, desk.people.reviewer, signed)).refusal?.code).toBe("passkey_invalid");
    await register(authenticator, desk.people.second);
    expect((await ask(desk, run, desk.people.reviewer, signed)).refusal?.code).toBe("passkey_invalid");
    expect((await customersOf(desk)).applied).toBe(applied);

    const own = await createAuthenticator("es256");
    await register(own);
    expect((await ask(desk, run, desk.people.reviewer, await signedBy(own))).refusal).toBeNull();
    const after = await readRun(desk, run);
    expect(after.state.status).toBe("completed");
    expect((await customersOf(desk)).applied).toBe(applied + 1);
    expect((await rowOf(own))?.last_used_at).not.toBeNull();

    const ledger = await openLedger(desk.deps.vault, {
      workspaceId: desk.workspace,
      runId: run,
      version: after.state.version,
      digest: after.state.head,
    });
    const keys = await listPublicKeys();
    const { credential_id } = own.passkey;
    expect(await verifyLedger(ledger, keys)).toMatchObject({
      ok: true,
      passkeys: [{ user: desk.people.reviewer, credential_id, registered: true }],
    });
    expect(await verifyLedger({ ...ledger, passkeys: [] }, keys)).toMatchObject({ ok: true, passkeys: [{ registered: false }] });
    await revoke(own);
    const later = await openLedger(desk.deps.vault, {
      workspaceId: desk.workspace,
      runId: run,
      version: after.state.version,
      digest: after.state.head,
    });
    expect(later.passkeys?.at(-1)?.body).toContain("passkey_revoked");
    expect(await verifyLedger(later, keys)).toMatchObject({ ok: true });
  });
});

describe("a new passkey", () => {
  const HOUR_MS = 3_600_000;
  const send = (asked: object, user: string) => sendOwn(desk, asked as WorkspaceCommand, user);
  const registerAs = async (user: string, { passkey }: Authenticator, assertion?: Assertion) =>
    (await send({ kind: "passkey_register", passkey, label: "Key", ...(assertion ? { assertion } : {}) }, user)).refusal?.code ?? null;
  const sign = ({ assert }: Authenticator, user: string, asked: Countersignable) =>
    assert(countersignatureChallenge(desk.workspace, user, asked));
  const atTime = (shiftMs: number): Desk => ({
    ...desk,
    deps: { ...desk.deps, clock: { ...desk.deps.clock, now: () => desk.deps.clock.now() + shiftMs } },
  });
  const joinAgo = async (agoMs: number): Promise<string> => {
    const [token, id] = [randomBytes(16).toString("hex"), randomUUID()];
    const standing = { role: "reviewer", auditor: false } as const;
    const email = `${id}@example.com`;
    await send({ kind: "people_invite", invite: randomUUID(), hash: hashSetupToken(token), email, standing }, desk.people.admin);
    const body = { kind: "member_join", token, name: "New", password_hash: "x".repeat(40) } as const;
    const { refusal } = await sendOwn(atTime(-agoMs), body, id);
    expect(refusal).toBeNull();

    return id;
  };

  it("can be registered by its person once within an hour of joining", async () => {
    const [first, second] = [await createAuthenticator("es256"), await createAuthenticator("es256")];
    const user = await joinAgo(0);
    expect(await registerAs(user, first)).toBeNull();
    expect(await registerAs(user, second)).toBe("passkey_not_allowed");
    expect(await registerAs(await joinAgo(HOUR_MS + 60_000), second)).toBe("passkey_not_allowed");
  });

  it("otherwise needs more than a live session: the signature of an existing one", async () => {
    const [first, second, third] = await Promise.all([0, 1, 2].map(() => createAuthenticator("es256")));
    if (!first || !second || !third) throw new Error("there are no authenticators");
    const [user, other] = [await joinAgo(0), await joinAgo(0)];
    expect(await registerAs(user, first)).toBeNull();
    expect(await registerAs(other, third)).toBeNull();
    const asked = { kind: "passkey_register", passkey: second.passkey } as const;
    expect(await registerAs(user, second, await sign(third, user, asked))).toBe("passkey_invalid");
    expect(await registerAs(user, second, await sign(first, other, asked))).toBe("passkey_invalid");
    expect(await registerAs(user, second, await sign(first, user, { kind: "passkey_register", passkey: third.passkey }))).toBe(
      "passkey_invalid",
    );
    const assertion = await sign(first, user, asked);
    expect(await registerAs(user, second, assertion)).toBeNull();
    expect(await believed(second, user)).toEqual(second.passkey);
    const fourth = await createAuthenticator("es256");
    expect(await registerAs(user, fourth, assertion)).toBe("passkey_invalid");
  });

  it("is allowed by another person who is admin, for a day, once", async () => {
    const { admin, second: user } = desk.people;
    const [own, further] = [await createAuthenticator("es256"), await createAuthenticator("es256")];
    const allow = async (by: string, whom: string, at = desk) =>
      (await sendOwn(at, { kind: "passkey_allow", allowance: randomUUID(), user: whom }, by)).refusal?.code ?? null;
    expect(await registerAs(user, own)).toBe("passkey_not_allowed");
    expect(await allow(desk.people.builder, user)).toBe("principal_not_allowed");
    expect(await allow(admin, admin)).toBe("own_account");
    expect(await allow(admin, randomUUID())).toBe("not_found");
    expect(await allow(admin, user, atTime(-25 * HOUR_MS))).toBeNull();
    expect(await registerAs(user, own)).toBe("passkey_not_allowed");
    expect(await allow(admin, user)).toBeNull();
    expect(await registerAs(user, own)).toBeNull();
    expect(await registerAs(user, further)).toBe("passkey_not_allowed");
  });

  it("is allowed by an admin with a passkey only with its signature, usable once", async () => {
    const admin = await addMember(desk, "admin");
    const [own, theirs] = [await createAuthenticator("eddsa"), await createAuthenticator("eddsa")];
    await allowAsOperator(desk.deps, desk.workspace, admin);
    expect(await registerAs(admin, own)).toBeNull();
    const user = await addMember(desk, "reviewer");
    const asked = { kind: "passkey_allow", allowance: randomUUID(), user } as const;
    expect((await send(asked, admin)).refusal?.code).toBe("passkey_required");
    const assertion = await sign(own, admin, asked);
    expect((await send({ ...asked, assertion }, admin)).refusal).toBeNull();
    expect(await registerAs(user, theirs)).toBeNull();
    expect((await send({ ...asked, assertion }, admin)).refusal?.code).toBe("passkey_invalid");
  });
});
