import { beforeAll, describe, expect, it } from "vitest";
import type { RecordedAssertion } from "@/lib/engine/approvals/assertion";
import type { RunEvent } from "@/lib/engine/event";
import { computeApprovalChallenge } from "@/lib/engine/approvals/passkey";
import { passkeyRecord, type PasskeyCommand } from "@/lib/engine/ledger/passkey-ledger";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import { createAuthenticator, type Authenticator } from "@/lib/engine/testing/authenticator";
import { chainOf, exportOf, getKeys, newKey, storedOf, type TestKey } from "@/lib/engine/testing/ledger";
import { nodesWith, publishWith } from "@/lib/engine/testing/graph";
import { atGate, decision, REVIEWER, SECOND, user, uuid, type TestRun } from "@/lib/engine/testing/run";
import { listPasskeysNotProved } from "@/lib/engine/verify/verify-passkeys";
import { verifyLedger, type LedgerExport } from "@/lib/engine/verify/verify";

type PasskeyEvent = Extract<RunEvent, { type: "passkey_registered" | "passkey_revoked" }>;

let key: TestKey;
let authenticator: Authenticator;
let run: TestRun;
let at: number;

const CONFIG = { prompt: "Write it?", for_node: "write", passkey: true };

beforeAll(async () => {
  key = await newKey("k1");
  authenticator = await createAuthenticator("eddsa");
  run = atGate(publishWith({ nodes: nodesWith("ask", { config: CONFIG }) }));
  const body = decision(run, user(REVIEWER));
  const { workspace, run: id } = run.state();
  const { kind: _kind, ...covered } = body;
  const challenge = computeApprovalChallenge({ v: 1, workspace, run: id, ...covered, user: REVIEWER });
  run.propose(user(REVIEWER), { ...body, assertion: await authenticator.assert(challenge), passkey: authenticator.passkey });
  at = run.records().findIndex(({ record }) => record.control.some(({ type }) => type === "decision_made"));
});

/** As with the runner's key. */
const ledgerWith = async (
  change: (made: Extract<RunEvent, { type: "decision_made" }>) => RunEvent = (made) => made,
): Promise<LedgerExport> => {
  const records = run.records().map(({ record }) => ({
    ...record,
    control: record.control.map((event) => (event.type === "decision_made" ? change(event) : event)),
  }));

  return exportOf(run, await chainOf(records, key));
};

const withPasskey = (change: (passkey: RecordedAssertion) => RecordedAssertion) =>
  ledgerWith((made) => (made.passkey ? { ...made, passkey: change(made.passkey) } : made));

const verify = (ledger: LedgerExport) => verifyLedger(ledger, getKeys(key));
const bad = () => ({ ok: false, seq: at, reason: "passkey" });

const flipped = (text: string): string => {
  const bytes = Buffer.from(text, "base64url");
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;

  return bytes.toString("base64url");
};

const register = (): PasskeyCommand => ({ kind: "passkey_register", passkey: authenticator.passkey, label: "Laptop" });
const registered = (more: Partial<Extract<PasskeyEvent, { type: "passkey_registered" }>> = {}): PasskeyEvent => ({
  type: "passkey_registered",
  user: REVIEWER,
  ...authenticator.passkey,
  ...more,
});

const ownRecords = async (...events: (readonly [PasskeyEvent, number])[]) => {
  const records = events.map(([event, when], index): LedgerRecord =>
    passkeyRecord(
      { id: uuid(70 + index), workspace: run.state().workspace, at: when, principal: user(event.user), body: register() },
      [event],
      index === 0 ? null : { version: index, head: "0".repeat(64) },
    ),
  );

  return (await chainOf(records, key)).map(storedOf);
};

describe("a passkey-signed decision", () => {
  it("verifies, names its signer, and leaves the passkey's owner open", async () => {
    const verified = await verify(await ledgerWith());
    const { credential_id, rp_id } = authenticator.passkey;
    const use = { seq: at, user: REVIEWER, credential_id, rp_id, registered: false };
    expect(verified).toMatchObject({ ok: true, passkeys: [use] });
    expect(listPasskeysNotProved([use])).toHaveLength(1);
  });

  it.each(["authenticator_data", "client_data_json", "signature", "public_key"] as const)(
    "fails with a changed byte in its %s, regardless of the record's signer",
    async (part) => {
      expect(await verify(await withPasskey((passkey) => ({ ...passkey, [part]: flipped(passkey[part]) })))).toEqual(bad());
    },
  );

  it("fails for another decision or person, and without the signature", async () => {
    expect(await verify(await ledgerWith((made) => ({ ...made, view_digest: "0".repeat(64) })))).toEqual(bad());
    expect(await verify(await ledgerWith((made) => ({ ...made, user: SECOND })))).toEqual(bad());
    expect(await verify(await ledgerWith(({ passkey: _gone, ...made }) => made))).toEqual(bad());
  });
});

it("a decision signed on another port fails, regardless of the record's signer", async () => {
  expect(await verify(await withPasskey((passkey) => ({ ...passkey, origin: "http://localhost:3398" })))).toEqual(bad());
});

it("a decision older than stored origins verifies, but not against a registration with one", async () => {
  const { origin: _kept, ...old } = authenticator.passkey;
  const ledger = await withPasskey(({ origin: _none, ...passkey }) => passkey);
  expect(await verify(ledger)).toMatchObject({ ok: true });
  expect(
    await verify({ ...ledger, passkeys: await ownRecords([{ type: "passkey_registered", user: REVIEWER, ...old }, run.now()]) }),
  ).toMatchObject({ ok: true });
  expect(await verify({ ...ledger, passkeys: await ownRecords([registered(), run.now()]) })).toEqual(bad());
});

describe("a signed decision with its passkey's registration", () => {
  const verifyWith = async (...events: (readonly [PasskeyEvent, number])[]) =>
    verify({ ...(await ledgerWith()), passkeys: await ownRecords(...events) });
  const revoked = (): PasskeyEvent => ({ type: "passkey_revoked", user: REVIEWER, credential_id: authenticator.passkey.credential_id });

  it("names the passkey's owner", async () => {
    const verified = await verifyWith([registered(), run.now() - 1]);
    expect(verified).toMatchObject({ ok: true, passkeys: [{ user: REVIEWER, registered: true }] });
    expect(listPasskeysNotProved(verified.ok ? (verified.passkeys ?? []) : [])).toEqual([]);
  });

  it("fails for another owner or key, a later registration or an earlier revocation", async () => {
    const long = 3_600_000;
    const { passkey } = await createAuthenticator("eddsa");
    expect(await verifyWith([registered({ user: SECOND }), run.now()])).toEqual(bad());
    expect(await verifyWith([registered({ public_key: passkey.public_key }), run.now()])).toEqual(bad());
    expect(await verifyWith([registered({ rp_id: "countersign.example" }), run.now()])).toEqual(bad());
    expect(await verifyWith([registered({ origin: "http://localhost:3398" }), run.now()])).toEqual(bad());
    expect(await verifyWith([registered(), run.now() + long])).toEqual(bad());
    expect(await verifyWith([registered(), run.now() - 2 * long], [revoked(), run.now() - long])).toEqual(bad());
  });

  it("is unaffected by a later revocation", async () => {
    expect(await verifyWith([registered(), run.now()], [revoked(), run.now() + 1])).toMatchObject({ ok: true });
  });
});
