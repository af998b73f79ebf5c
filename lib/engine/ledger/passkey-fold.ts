import { isAllowed } from "@/lib/roles";
import type { HexDigest } from "@/lib/hash";
import type { RefusalCode } from "@/lib/refusal";
import { err, ok, type Result } from "@/lib/result";
import type { Assertion, Passkey } from "@/lib/engine/approvals/assertion";
import { countersignatureChallenge, type Countersignable } from "@/lib/engine/ledger/countersignable";
import type { RunEvent } from "@/lib/engine/event";
import type { Countersigned } from "@/lib/engine/events/workspace";
import { verifyAssertion } from "@/lib/engine/approvals/passkey";
import type { LedgerRecord } from "@/lib/engine/ledger/record";

export type KnownPasskey = Passkey & {
  readonly user: string;
  /** ms since 1970 */
  readonly registeredAt: number;
  readonly revokedAt: number | null;
};

export type Allowance = {
  readonly user: string;
  /** `entry`: joined with it; first passkey only. */
  readonly by: "entry" | "admin" | "operator";
  readonly expiresAt: number;
};

export type PasskeyFold = {
  readonly passkeys: ReadonlyMap<string, KnownPasskey>;
  readonly allowances: ReadonlyMap<string, Allowance>;
  /** Each counts once. */
  readonly spent: ReadonlySet<HexDigest>;
  /** A strict record was seen; earlier registrations still count. */
  readonly isStrict: boolean;
};

export const NO_PASSKEYS: PasskeyFold = { passkeys: new Map(), allowances: new Map(), spent: new Set(), isStrict: false };

export const ENTRY_ALLOWANCE_MS = 3_600_000;
export const ALLOWANCE_MS = 24 * ENTRY_ALLOWANCE_MS;

type EventOf<T extends RunEvent["type"]> = Extract<RunEvent, { type: T }>;

export const listPasskeysOfPerson = ({ passkeys }: PasskeyFold, user: string): readonly KnownPasskey[] =>
  [...passkeys.values()].filter((passkey) => passkey.user === user);

export const hasLivePasskey = (fold: PasskeyFold, user: string): boolean =>
  listPasskeysOfPerson(fold, user).some(({ revokedAt }) => revokedAt === null);

const livePasskey = ({ passkeys }: PasskeyFold, user: string, credentialId: string): KnownPasskey | null => {
  const found = passkeys.get(credentialId);

  return found?.user === user && found.revokedAt === null ? found : null;
};

/**
 * Returns an unexpired allowance, or null.
 * @param atMs ms since 1970
 */
export const openAllowance = (fold: PasskeyFold, user: string, atMs: number): Allowance | null => {
  const found = fold.allowances.get(user);
  if (!found || found.expiresAt < atMs) return null;

  return found.by === "entry" && listPasskeysOfPerson(fold, user).length > 0 ? null : found;
};

type Signer = {
  readonly workspace: string;
  readonly user: string;
  /** For passkeys without stored origins. */ readonly origin: string;
};

/** Verifies a passkey signature; null: unsigned. */
export const countersign = (
  fold: PasskeyFold,
  { workspace, user, origin }: Signer,
  asked: Countersignable,
  assertion: Assertion | undefined,
): Result<Countersigned | null, RefusalCode> => {
  if (!assertion) return ok(null);
  const known = livePasskey(fold, user, assertion.credential_id);
  const challenge = countersignatureChallenge(workspace, user, asked);
  if (!known || fold.spent.has(challenge)) return err("passkey_invalid");
  const { credential_id, public_key, rp_id } = known;
  const passkey = { credential_id, public_key, rp_id, origin: known.origin ?? origin };

  return verifyAssertion(passkey, assertion, challenge)
    ? ok({ type: "countersigned", user, asked, passkey: { ...assertion, ...passkey } })
    : err("passkey_invalid");
};

/** Mandatory `countersign`: stolen sessions could otherwise revoke all passkeys. */
export const countersignIfAble = (
  fold: PasskeyFold,
  signer: Signer,
  asked: Countersignable,
  assertion: Assertion | undefined,
): Result<Countersigned | null, RefusalCode> =>
  assertion === undefined && listPasskeysOfPerson(fold, signer.user).length > 0
    ? err("passkey_required")
    : countersign(fold, signer, asked, assertion);

const isCountersigned = (fold: PasskeyFold, { workspace, principal, control }: LedgerRecord, asked: Countersignable): boolean => {
  if (principal.type !== "user") return false;
  const challenge = countersignatureChallenge(workspace, principal.id, asked);
  const found = control.find(
    (event) => event.type === "countersigned" && countersignatureChallenge(workspace, event.user, event.asked) === challenge,
  );
  if (found?.type !== "countersigned" || fold.spent.has(challenge)) return false;
  const { credential_id, authenticator_data, client_data_json, signature, ...passkey } = found.passkey;
  const known = livePasskey(fold, principal.id, credential_id);
  if (!known || known.public_key !== passkey.public_key || known.rp_id !== passkey.rp_id) return false;
  if (known.origin !== undefined && known.origin !== passkey.origin) return false;

  return verifyAssertion({ credential_id, ...passkey }, { credential_id, authenticator_data, client_data_json, signature }, challenge);
};

const isEntryOf = ({ control }: LedgerRecord, user: string): boolean =>
  control.some((event) => event.type === "admin_changed" && event.area === "people" && event.subject === user && event.step === "joined");

const allowanceOf = (fold: PasskeyFold, record: LedgerRecord, event: EventOf<"passkey_allowed">): Allowance | null => {
  const { principal, at } = record;
  const { user, allowance, expires_at: expiresAt } = event;
  if (isEntryOf(record, user)) return expiresAt <= at + ENTRY_ALLOWANCE_MS ? { user, by: "entry", expiresAt } : null;
  if (expiresAt > at + ALLOWANCE_MS) return null;
  if (principal.type === "engine") return { user, by: "operator", expiresAt };
  if (principal.type !== "user" || principal.id === user || !isAllowed(principal.role, "people.manage")) return null;
  const isProved = !hasLivePasskey(fold, principal.id) || isCountersigned(fold, record, { kind: "passkey_allow", allowance, user });

  return isProved ? { user, by: "admin", expiresAt } : null;
};

const foldRegistered = (fold: PasskeyFold, record: LedgerRecord, event: EventOf<"passkey_registered">): PasskeyFold => {
  const { type: _type, user, ...passkey } = event;
  if (fold.passkeys.has(passkey.credential_id)) return fold;
  const isSigned = isCountersigned(fold, record, { kind: "passkey_register", passkey });
  if (!isSigned && fold.isStrict && !openAllowance(fold, user, record.at)) return fold;
  const allowances = new Map(fold.allowances);
  if (!isSigned) allowances.delete(user);

  return {
    ...fold,
    allowances,
    passkeys: new Map(fold.passkeys).set(passkey.credential_id, { ...passkey, user, registeredAt: record.at, revokedAt: null }),
  };
};

const foldEvent = (fold: PasskeyFold, record: LedgerRecord, event: RunEvent): PasskeyFold => {
  const { principal, at } = record;
  if (event.type === "passkey_allowed") {
    const allowance = allowanceOf(fold, record, event);

    return allowance ? { ...fold, allowances: new Map(fold.allowances).set(event.user, allowance) } : fold;
  }
  if (event.type !== "passkey_registered" && event.type !== "passkey_revoked") return fold;
  // Only owners register and revoke.
  if (principal.type !== "user" || principal.id !== event.user) return fold;
  if (event.type === "passkey_registered") return foldRegistered(fold, record, event);
  const found = livePasskey(fold, event.user, event.credential_id);

  return found ? { ...fold, passkeys: new Map(fold.passkeys).set(found.credential_id, { ...found, revokedAt: at }) } : fold;
};

/** Applies a record; ignores events that break the rule. */
export const foldPasskeys = (before: PasskeyFold, record: LedgerRecord): PasskeyFold => {
  const { control, workspace } = record;
  const folded = control.reduce((fold, event) => foldEvent(fold, record, event), before);
  const signed = control.flatMap((event) =>
    event.type === "countersigned" ? [countersignatureChallenge(workspace, event.user, event.asked)] : [],
  );
  const isStrict = signed.length > 0 || control.some(({ type }) => type === "passkey_allowed");
  if (!isStrict) return folded;

  return { ...folded, isStrict, spent: signed.length === 0 ? folded.spent : new Set([...folded.spent, ...signed]) };
};
