import { beforeAll, describe, expect, it } from "vitest";
import type { RunEvent } from "@/lib/engine/event";
import { ALLOWANCE_MS, ENTRY_ALLOWANCE_MS, hasLivePasskey, openAllowance } from "@/lib/engine/ledger/passkey-fold";
import { createAuthenticator, type Authenticator } from "@/lib/engine/testing/authenticator";
import { countersignedBy, foldOf, passkeyStep } from "@/lib/engine/testing/passkeys";
import { engine, REVIEWER, SECOND, user, uuid } from "@/lib/engine/testing/run";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import type { Passkey } from "@/lib/engine/approvals/assertion";

const ADMIN = uuid(14);
const T0 = 1_000_000;
let mine: Authenticator;
let further: Authenticator;
let theirs: Authenticator;
beforeAll(async () => {
  [mine, further, theirs] = await Promise.all([createAuthenticator("es256"), createAuthenticator("es256"), createAuthenticator("eddsa")]);
});

const joined = (who: string): RunEvent => ({
  type: "admin_changed",
  area: "people",
  subject: who,
  step: "joined",
  before: null,
  after: "0".repeat(64),
});
const allowed = (who: string, expiresAt: number, allowance = uuid(40)): RunEvent => ({
  type: "passkey_allowed",
  user: who,
  allowance,
  expires_at: expiresAt,
});
const registered = (passkey: Passkey, who = REVIEWER): RunEvent => ({ type: "passkey_registered", user: who, ...passkey });
const entered = (who = REVIEWER, at = T0) => passkeyStep(user(who), at, [joined(who), allowed(who, at + ENTRY_ALLOWANCE_MS)]);
const registers = (authenticator: Authenticator, at = T0 + 1, who = REVIEWER) =>
  passkeyStep(user(who), at, [registered(authenticator.passkey, who)]);
const idsOf = (...records: readonly LedgerRecord[]) => [...foldOf(...records).passkeys.keys()];
const idOf = ({ passkey }: Authenticator) => passkey.credential_id;

describe("a record of entry", () => {
  it("allows one passkey registration, for an hour", () => {
    expect(idsOf(entered(), registers(mine))).toEqual([idOf(mine)]);
    expect(idsOf(entered(), registers(mine, T0 + ENTRY_ALLOWANCE_MS))).toEqual([idOf(mine)]);
    expect(idsOf(entered(), registers(mine, T0 + ENTRY_ALLOWANCE_MS + 1))).toEqual([]);
    expect(idsOf(entered(), registers(mine), registers(further))).toEqual([idOf(mine)]);
  });

  it("allows no other person to register, and lapses after an hour", () => {
    expect(idsOf(entered(), registers(mine, T0 + 1, SECOND))).toEqual([]);
    const long = passkeyStep(user(REVIEWER), T0, [joined(REVIEWER), allowed(REVIEWER, T0 + ENTRY_ALLOWANCE_MS + 1)]);
    expect(idsOf(long, registers(mine))).toEqual([]);
  });

  it("allows a first passkey only", async () => {
    const [first, second] = [registers(mine), entered(REVIEWER, T0 + 2)];
    expect(idsOf(entered(), first, second, registers(further, T0 + 3))).toEqual([idOf(mine)]);
  });
});

describe("an allowance", () => {
  const allows = (principal = user(ADMIN, "admin"), expiresAt = T0 + ALLOWANCE_MS) =>
    passkeyStep(principal, T0, [allowed(REVIEWER, expiresAt)]);

  it("by an admin or the operator allows one registration, also of a further passkey", () => {
    expect(idsOf(allows(), registers(mine))).toEqual([idOf(mine)]);
    expect(idsOf(allows(engine), registers(mine))).toEqual([idOf(mine)]);
    expect(idsOf(entered(), registers(mine), allows(), registers(further))).toEqual([idOf(mine), idOf(further)]);
    expect(idsOf(allows(), registers(mine), registers(further))).toEqual([idOf(mine)]);
  });

  it("expires after a day", () => {
    expect(idsOf(allows(), registers(mine, T0 + ALLOWANCE_MS + 1))).toEqual([]);
    expect(idsOf(entered(SECOND), allows(user(ADMIN, "admin"), T0 + ALLOWANCE_MS + 1), registers(mine))).toEqual([]);
  });

  it("cannot be granted by oneself or by a reviewer", () => {
    const own = passkeyStep(user(ADMIN, "admin"), T0, [allowed(ADMIN, T0 + 1_000)]);
    expect(idsOf(own, registers(mine, T0 + 1, ADMIN))).toEqual([]);
    expect(idsOf(allows(user(SECOND)), registers(mine))).toEqual([]);
  });

  it("by an admin with a passkey needs their signature, once, and for this person", async () => {
    const admin = [entered(ADMIN), registers(theirs, T0, ADMIN)];
    const asked = { kind: "passkey_allow", allowance: uuid(41), user: REVIEWER } as const;
    const signed = await countersignedBy(theirs, ADMIN, asked);
    const step = (...more: RunEvent[]) => passkeyStep(user(ADMIN, "admin"), T0 + 1, [allowed(REVIEWER, T0 + 1_000, uuid(41)), ...more]);
    const open = (...records: readonly LedgerRecord[]) => openAllowance(foldOf(...admin, ...records), REVIEWER, T0 + 2)?.by ?? null;

    expect(open(step())).toBeNull();
    expect(open(step(signed))).toBe("admin");
    expect(open(step(await countersignedBy(theirs, ADMIN, { ...asked, user: SECOND })))).toBeNull();
    expect(open(step(await countersignedBy(theirs, ADMIN, asked, uuid(9))))).toBeNull();
    expect(open(step(await countersignedBy(mine, ADMIN, asked)))).toBeNull();
    expect(idsOf(...admin, step(signed), registers(mine, T0 + 3), step(signed), registers(further, T0 + 4))).toEqual([
      idOf(theirs),
      idOf(mine),
    ]);
  });
});

describe("a further passkey", () => {
  const first = () => [entered(), registers(mine)];
  const withSignature = async (by: Authenticator, asked: Passkey, who = REVIEWER) =>
    passkeyStep(user(who), T0 + 5, [
      registered(further.passkey, who),
      await countersignedBy(by, who, { kind: "passkey_register", passkey: asked }),
    ]);

  it("needs a signature by the person's live passkey about exactly that one", async () => {
    expect(idsOf(...first(), await withSignature(mine, further.passkey))).toEqual([idOf(mine), idOf(further)]);
    expect(idsOf(...first(), await withSignature(mine, theirs.passkey))).toEqual([idOf(mine)]);
  });

  it("is rejected with another key under the id of an existing one", async () => {
    const step = await withSignature(theirs, further.passkey);
    const { credential_id } = mine.passkey;
    const control = step.control.map((event) =>
      event.type === "countersigned" ? { ...event, passkey: { ...event.passkey, credential_id } } : event,
    );
    expect(idsOf(...first(), { ...step, control })).toEqual([idOf(mine)]);
  });

  it("is rejected with a signature by another person's passkey, a revoked one or itself", async () => {
    const others = [entered(SECOND), registers(theirs, T0 + 1, SECOND)];
    expect(idsOf(...first(), ...others, await withSignature(theirs, further.passkey))).toEqual([idOf(mine), idOf(theirs)]);
    const gone = passkeyStep(user(REVIEWER), T0 + 4, [{ type: "passkey_revoked", user: REVIEWER, credential_id: idOf(mine) }]);
    expect(idsOf(...first(), gone, await withSignature(mine, further.passkey))).toEqual([idOf(mine)]);
    expect(idsOf(entered(SECOND), await withSignature(further, further.passkey))).toEqual([]);
  });
});

describe("records older than the rule", () => {
  it("count until the first strict record", () => {
    const fold = foldOf(registers(mine), entered(SECOND), registers(further));
    expect([...fold.passkeys.keys()]).toEqual([idOf(mine)]);
    expect(hasLivePasskey(fold, REVIEWER)).toBe(true);
  });
});
