import { beforeAll, describe, expect, it } from "vitest";
import { decidePasskey, passkeyRecord, passkeysIn, type KnownPasskey, type PasskeyCommand } from "@/lib/engine/passkey-ledger";
import { createAuthenticator } from "@/lib/engine/testing/authenticator";
import { chainOf, keysOf, newKey, storedOf, type TestKey } from "@/lib/engine/testing/ledger";
import { REVIEWER, SECOND, user, uuid } from "@/lib/engine/testing/run";
import type { Passkey } from "@/lib/engine/assertion";
import type { LedgerRecord } from "@/lib/engine/record";

const WORKSPACE = uuid(1);
let key: TestKey;
let other: TestKey;
let passkey: Passkey;
beforeAll(async () => {
  [key, other] = [await newKey("k1"), await newKey("k2")];
  ({ passkey } = await createAuthenticator("es256"));
});

const register = (more: Partial<Passkey> = {}): PasskeyCommand => ({
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

describe("a command about a passkey", () => {
  it("registers it for whoever sends it, once in a workspace, revoked or not", () => {
    expect(decidePasskey(user(REVIEWER), register(), [])).toEqual({ type: "passkey_registered", user: REVIEWER, ...passkey });
    expect(decidePasskey(user(SECOND), register(), [of(REVIEWER)])).toBe("passkey_exists");
    expect(decidePasskey(user(REVIEWER), register(), [of(REVIEWER, { revokedAt: 2 })])).toBe("passkey_exists");
  });

  it("takes no key that is none, and no more than twenty of one person", () => {
    expect(decidePasskey(user(REVIEWER), register({ public_key: "A".repeat(87) }), [])).toBe("passkey_invalid");
    const many = Array.from({ length: 20 }, (_, index) => of(REVIEWER, { credential_id: `c${index}` }));
    expect(decidePasskey(user(REVIEWER), register(), many)).toBe("passkey_limit");
    expect(decidePasskey(user(SECOND), register(), many)).toMatchObject({ user: SECOND });
  });

  it("takes no more than two hundred of one person in all, so that nobody makes every signed decision slow by revoking", () => {
    const gone = Array.from({ length: 200 }, (_, index) => of(REVIEWER, { credential_id: `c${index}`, revokedAt: 2 }));
    expect(decidePasskey(user(REVIEWER), register(), gone)).toBe("passkey_limit");
    expect(decidePasskey(user(REVIEWER), register(), gone.slice(1))).toMatchObject({ user: REVIEWER });
  });

  it("revokes one's own and nobody else's, once", () => {
    expect(decidePasskey(user(REVIEWER), revoke(), [of(REVIEWER)])).toEqual({
      type: "passkey_revoked",
      user: REVIEWER,
      credential_id: passkey.credential_id,
    });
    expect(decidePasskey(user(SECOND), revoke(), [of(REVIEWER)])).toBe("not_found");
    expect(decidePasskey(user(REVIEWER), revoke(), [of(REVIEWER, { revokedAt: 2 })])).toBe("not_found");
  });

  it("is a person's", () => {
    expect(decidePasskey({ type: "engine", epoch: 1 }, register(), [])).toBe("principal_not_allowed");
  });
});

/** Two records as the runner would make them, changed as a test needs it. */
const recorded = async (signer = key, change: (record: LedgerRecord) => LedgerRecord = (record) => record) => {
  const asked = { id: uuid(70), workspace: WORKSPACE, principal: user(REVIEWER) };
  const first = passkeyRecord({ ...asked, at: 10, body: register() }, { type: "passkey_registered", user: REVIEWER, ...passkey }, null);
  const second = passkeyRecord(
    { ...asked, at: 20, body: revoke() },
    { type: "passkey_revoked", user: REVIEWER, credential_id: passkey.credential_id },
    { version: 1, head: "0".repeat(64) },
  );

  return (await chainOf([first, second].map(change), signer)).map(storedOf);
};

describe("what records say of passkeys", () => {
  it("is whose each is, since when and until when", async () => {
    const records = await recorded();
    expect(await passkeysIn(WORKSPACE, records, keysOf(key))).toEqual([of(REVIEWER, { registeredAt: 10, revokedAt: 20 })]);
    expect(await passkeysIn(WORKSPACE, records.toReversed(), keysOf(key))).toEqual([of(REVIEWER, { registeredAt: 10, revokedAt: 20 })]);
    expect(await passkeysIn(WORKSPACE, records.slice(0, 1), keysOf(key))).toEqual([of(REVIEWER, { registeredAt: 10 })]);
  });

  it("is nothing when it is not signed with a known key, of another workspace, or changed by a byte", async () => {
    expect(await passkeysIn(WORKSPACE, await recorded(other), keysOf(key))).toEqual([]);
    expect(await passkeysIn(uuid(99), await recorded(), keysOf(key))).toEqual([]);
    const changed = (await recorded()).map((stored) => ({ ...stored, body: stored.body.replaceAll(REVIEWER, SECOND) }));
    expect(await passkeysIn(WORKSPACE, changed, keysOf(key))).toEqual([]);
    const elsewhere = await recorded(key, (record) => ({ ...record, run: uuid(2) }));
    expect(await passkeysIn(WORKSPACE, elsewhere, keysOf(key))).toEqual([]);
  });

  it("is nothing where somebody registers for somebody else", async () => {
    const records = await recorded(key, (record) => ({ ...record, principal: user(SECOND) }));
    expect(await passkeysIn(WORKSPACE, records, keysOf(key))).toEqual([]);
  });
});
