import { beforeAll, describe, expect, it } from "vitest";
import { ALLOWANCE_MS, countersign, NO_PASSKEYS, type Allowance, type KnownPasskey } from "@/lib/engine/ledger/passkey-fold";
import { decidePasskey, passkeyRecord, collectPasskeys, type PasskeyCommand, type PasskeyFacts } from "@/lib/engine/ledger/passkey-ledger";
import { createAuthenticator, type Authenticator } from "@/lib/engine/testing/authenticator";
import { chainOf, getKeys, newKey, storedOf, type TestKey } from "@/lib/engine/testing/ledger";
import { countersignatureChallenge, type Countersignable } from "@/lib/engine/ledger/countersignable";
import { REVIEWER, SECOND, user, uuid } from "@/lib/engine/testing/run";
import type { Passkey } from "@/lib/engine/approvals/assertion";
import type { LedgerRecord } from "@/lib/engine/ledger/record";

const WORKSPACE = uuid(1);
let key: TestKey;
let other: TestKey;
let authenticator: Authenticator;
let passkey: Passkey;
let further: Passkey;
beforeAll(async () => {
  [key, other] = [await newKey("k1"), await newKey("k2")];
  authenticator = await createAuthenticator("es256");
  ({ passkey } = authenticator);
  ({ passkey: further } = await createAuthenticator("eddsa"));
});

const register = (more: Partial<Passkey> = {}): Extract<PasskeyCommand, { kind: "passkey_register" }> => ({
  kind: "passkey_register",
  passkey: { ...passkey, ...more },
  label: "Laptop",
});
const revoke = (): PasskeyCommand => ({ kind: "passkey_revoke", credential_id: passkey.credential_id });
const of = (who: string, more: Partial<KnownPasskey> = {}): KnownPasskey => ({
  ...passkey,
  user: who,
  registeredAt: 1,
  revokedAt: null,
  ...more,
});

const AT = 1_000;
const ADMIN = uuid(14);

const facts = (known: readonly KnownPasskey[] = [], allowed: readonly string[] = [REVIEWER, SECOND]): PasskeyFacts => ({
  workspace: WORKSPACE,
  fold: {
    ...NO_PASSKEYS,
    passkeys: new Map(known.map((one) => [one.credential_id, one])),
    allowances: new Map(allowed.map((who): [string, Allowance] => [who, { user: who, by: "admin", expiresAt: AT }])),
  },
  atMs: AT,
  origin: "http://localhost:3000",
  isMember: true,
});
const signed = async (asked: Countersignable, who = REVIEWER) => authenticator.assert(countersignatureChallenge(WORKSPACE, who, asked));

describe("a passkey command", () => {
  it("registers a passkey for its sender, once per workspace, revoked or not", () => {
    expect(decidePasskey(user(REVIEWER), register(), facts())).toEqual([{ type: "passkey_registered", user: REVIEWER, ...passkey }]);
    expect(decidePasskey(user(SECOND), register(), facts([of(REVIEWER)]))).toBe("passkey_exists");
    expect(decidePasskey(user(REVIEWER), register(), facts([of(REVIEWER, { revokedAt: 2 })]))).toBe("passkey_exists");
  });

  it("rejects invalid keys and origins, and more than twenty per person", () => {
    expect(decidePasskey(user(REVIEWER), register({ public_key: "A".repeat(87) }), facts())).toBe("passkey_invalid");
    expect(decidePasskey(user(REVIEWER), register({ origin: "https://evil.example" }), facts())).toBe("passkey_invalid");
    const { origin: _origin, ...without } = passkey;
    expect(decidePasskey(user(REVIEWER), { ...register(), passkey: without }, facts())).toBe("passkey_invalid");
    const many = Array.from({ length: 20 }, (_, index) => of(REVIEWER, { credential_id: `c${index}` }));
    expect(decidePasskey(user(REVIEWER), register(), facts(many))).toBe("passkey_limit");
    expect(decidePasskey(user(SECOND), register(), facts(many))).toMatchObject([{ user: SECOND }]);
  });

  it("rejects more than two hundred passkeys per person over time, so that revoking cannot slow verification", () => {
    const gone = Array.from({ length: 200 }, (_, index) => of(REVIEWER, { credential_id: `c${index}`, revokedAt: 2 }));
    expect(decidePasskey(user(REVIEWER), register(), facts(gone))).toBe("passkey_limit");
    expect(decidePasskey(user(REVIEWER), register(), facts(gone.slice(1)))).toMatchObject([{ user: REVIEWER }]);
  });

  it("rejects a registration without an allowance or a signature by an own passkey", async () => {
    expect(decidePasskey(user(REVIEWER), register(), facts([], [SECOND]))).toBe("passkey_not_allowed");
    const late = { ...facts(), atMs: AT + 1 };
    expect(decidePasskey(user(REVIEWER), register(), late)).toBe("passkey_not_allowed");
    const own = facts([of(REVIEWER)], []);
    const command = { ...register(), passkey: further } as const;
    expect(decidePasskey(user(REVIEWER), command, own)).toBe("passkey_not_allowed");
    const assertion = await signed({ kind: "passkey_register", passkey: further });
    expect(decidePasskey(user(REVIEWER), { ...command, assertion }, own)).toMatchObject([
      { type: "passkey_registered", credential_id: further.credential_id },
      { type: "countersigned", user: REVIEWER },
    ]);
    expect(decidePasskey(user(SECOND), { ...command, assertion }, facts([of(REVIEWER)]))).toBe("passkey_invalid");
    const about = await signed({ kind: "passkey_register", passkey: { ...further, rp_id: "countersign.example" } });
    expect(decidePasskey(user(REVIEWER), { ...command, assertion: about }, own)).toBe("passkey_invalid");
  });

  it("allows another person's registration, signed by the admin where possible", async () => {
    const asked = { kind: "passkey_allow", allowance: uuid(40), user: REVIEWER } as const;
    const admin = user(ADMIN, "admin");
    expect(decidePasskey(admin, asked, facts())).toEqual([
      { type: "passkey_allowed", user: REVIEWER, allowance: uuid(40), expires_at: AT + ALLOWANCE_MS },
    ]);
    expect(decidePasskey(user(SECOND), asked, facts())).toBe("principal_not_allowed");
    expect(decidePasskey(admin, { ...asked, user: ADMIN }, facts())).toBe("own_account");
    expect(decidePasskey(admin, asked, { ...facts(), isMember: false })).toBe("not_found");
    const able = facts([of(ADMIN)]);
    expect(decidePasskey(admin, asked, able)).toBe("passkey_required");
    const assertion = await signed(asked, ADMIN);
    expect(decidePasskey(admin, { ...asked, assertion }, able)).toMatchObject([{ type: "passkey_allowed" }, { type: "countersigned" }]);
    expect(decidePasskey(admin, { ...asked, user: SECOND, assertion }, able)).toBe("passkey_invalid");
  });

  it("counts a signature once", async () => {
    const asked = { kind: "policy_lower", request: uuid(41) } as const;
    const { fold } = facts([of(REVIEWER)]);
    const signer = { workspace: WORKSPACE, user: REVIEWER, origin: "http://localhost:3000" };
    const assertion = await signed(asked);
    expect(countersign(fold, signer, asked, assertion)).toMatchObject({ ok: true, value: { asked } });
    const spent = new Set([countersignatureChallenge(WORKSPACE, REVIEWER, asked)]);
    expect(countersign({ ...fold, spent }, signer, asked, assertion)).toEqual({ ok: false, error: "passkey_invalid" });
  });

  it("revokes an own passkey once, and no other person's", () => {
    expect(decidePasskey(user(REVIEWER), revoke(), facts([of(REVIEWER)]))).toEqual([
      { type: "passkey_revoked", user: REVIEWER, credential_id: passkey.credential_id },
    ]);
    expect(decidePasskey(user(SECOND), revoke(), facts([of(REVIEWER)]))).toBe("not_found");
    expect(decidePasskey(user(REVIEWER), revoke(), facts([of(REVIEWER, { revokedAt: 2 })]))).toBe("not_found");
    const own = of(REVIEWER, { credential_id: "own" });
    expect(decidePasskey(user(REVIEWER), revoke(), facts([of(SECOND), own]))).toBe("not_found");
  });

  it("is accepted from people only", () => {
    expect(decidePasskey({ type: "engine", epoch: 1 }, register(), facts())).toBe("principal_not_allowed");
  });
});

const recorded = async (signer = key, change: (record: LedgerRecord) => LedgerRecord = (record) => record) => {
  const asked = { id: uuid(70), workspace: WORKSPACE, principal: user(REVIEWER) };
  const first = passkeyRecord({ ...asked, at: 10, body: register() }, [{ type: "passkey_registered", user: REVIEWER, ...passkey }], null);
  const second = passkeyRecord(
    { ...asked, at: 20, body: revoke() },
    [{ type: "passkey_revoked", user: REVIEWER, credential_id: passkey.credential_id }],
    { version: 1, head: "0".repeat(64) },
  );

  return (await chainOf([first, second].map(change), signer)).map(storedOf);
};

describe("passkey records", () => {
  it("give each passkey's owner, registration and revocation", async () => {
    const records = await recorded();
    expect(await collectPasskeys(WORKSPACE, records, getKeys(key))).toEqual([of(REVIEWER, { registeredAt: 10, revokedAt: 20 })]);
    expect(await collectPasskeys(WORKSPACE, records.toReversed(), getKeys(key))).toEqual([
      of(REVIEWER, { registeredAt: 10, revokedAt: 20 }),
    ]);
    expect(await collectPasskeys(WORKSPACE, records.slice(0, 1), getKeys(key))).toEqual([of(REVIEWER, { registeredAt: 10 })]);
  });

  it("are ignored when unsigned, of another workspace, or modified", async () => {
    expect(await collectPasskeys(WORKSPACE, await recorded(other), getKeys(key))).toEqual([]);
    expect(await collectPasskeys(uuid(99), await recorded(), getKeys(key))).toEqual([]);
    const changed = (await recorded()).map((stored) => ({ ...stored, body: stored.body.replaceAll(REVIEWER, SECOND) }));
    expect(await collectPasskeys(WORKSPACE, changed, getKeys(key))).toEqual([]);
    for (const place of [{ run: uuid(2) }, { workspace: uuid(99) }]) {
      const elsewhere = await recorded(key, (record) => ({ ...record, ...place }));
      expect(await collectPasskeys(WORKSPACE, elsewhere, getKeys(key))).toEqual([]);
    }
  });

  it("are ignored when one person registers for another", async () => {
    const records = await recorded(key, (record) => ({ ...record, principal: user(SECOND) }));
    expect(await collectPasskeys(WORKSPACE, records, getKeys(key))).toEqual([]);
  });
});
