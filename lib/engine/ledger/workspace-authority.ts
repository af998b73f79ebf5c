/**
 * The authority of a workspace, folded from the signed records of its own ledger: for each member, published version, agent
 * token and server, the digest of the settings that are in force, and whose passkeys are whose. A database row counts only
 * while it has that digest.
 */
import type { HexDigest } from "@/lib/hash";
import type { AdminArea } from "@/lib/engine/event-admin";
import { isRetired, type Retired } from "@/lib/engine/ledger/handover";
import { foldPasskeys, NO_PASSKEYS, type PasskeyFold } from "@/lib/engine/ledger/passkey-fold";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import { verifyDigest, type PublicKeys, type SignedDigest } from "@/lib/engine/ledger/signature";
import { GENESIS_PARENT } from "@/lib/engine/state";
import { readRecord, type StoredRecord } from "@/lib/engine/ledger/stored-record";
import { workspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";

/** Why a workspace's ledger does not prove what it says. */
export type AuthorityFault =
  | "malformed"
  | "hash"
  | "wrong_run"
  | "seq_gap"
  | "link"
  | "unknown_key"
  | "retired_key"
  | "signature"
  /** The ledger ends before a record that was read earlier, or has another one in its place. */
  | "rolled_back";

/** A step of an admin, by the record that it stands in. */
export type SettingsInForce = {
  readonly digest: HexDigest;
  /** Of the record that put them in force. */
  readonly seq: number;
};

export type WorkspaceAuthority = {
  readonly workspace: string;
  /** The number of records that it is folded from. */
  readonly version: number;
  /** The digest of the last record. */
  readonly head: HexDigest;
  /** By `settingsKey`; subjects without settings in force are absent. */
  readonly settings: ReadonlyMap<string, SettingsInForce>;
  readonly passkeys: PasskeyFold;
};

export const emptyAuthority = (workspace: string): WorkspaceAuthority => ({
  workspace,
  version: 0,
  head: GENESIS_PARENT,
  settings: new Map(),
  passkeys: NO_PASSKEYS,
});

/** Areas are words without a slash, so no two pairs share a key. */
export const settingsKey = (area: AdminArea, subject: string): string => `${area}/${subject}`;

/** Returns the digest of the settings in force; null when there are none. */
export const digestInForce = ({ settings }: WorkspaceAuthority, area: AdminArea, subject: string): HexDigest | null =>
  settings.get(settingsKey(area, subject))?.digest ?? null;

/** Steps whose digests are of what was said to a tool and what came of it. */
const NO_SETTINGS: ReadonlySet<string> = new Set(["console_called", "console_answered"]);

/** Applies the steps of one record. Steps without digests, such as ended sessions, change no settings. */
const applySteps = (settings: Map<string, SettingsInForce>, { control, seq }: LedgerRecord): void => {
  for (const event of control) {
    if (event.type !== "admin_changed" || NO_SETTINGS.has(event.step) || (event.before === null && event.after === null)) continue;
    const key = settingsKey(event.area, event.subject);
    if (event.after === null) settings.delete(key);
    else settings.set(key, { digest: event.after, seq });
  }
};

type Checked = { readonly ok: true; readonly records: readonly LedgerRecord[]; readonly last: SignedDigest & { readonly kid: string } };
type Faulty = { readonly ok: false; readonly fault: AuthorityFault; readonly seq: number };

/** Checks texts, digests, places and links of records that follow `authority`, and finds the signature that covers them all. */
const checkChain = (authority: WorkspaceAuthority, stored: readonly StoredRecord[], keys: PublicKeys): Checked | Faulty => {
  const run = workspaceLedgerId(authority.workspace);
  const records: LedgerRecord[] = [];
  let { version, head } = authority;
  let last: Checked["last"] | null = null;
  for (const row of stored) {
    const fault = (reason: AuthorityFault): Faulty => ({ ok: false, fault: reason, seq: version });
    const signed = readRecord(row);
    if (typeof signed === "string") return fault(signed);
    const { record, digest, kid, signature } = signed;
    if (record.run !== run || record.workspace !== authority.workspace) return fault("wrong_run");
    if (record.seq !== version || row.seq !== version) return fault("seq_gap");
    if (record.parent !== head) return fault("link");
    const key = Object.hasOwn(keys, kid) ? keys[kid] : undefined;
    if (key === undefined) return fault("unknown_key");
    records.push(record);
    last = { key, signature, digest, kid };
    version += 1;
    head = digest;
  }

  return last ? { ok: true, records, last } : { ok: false, fault: "seq_gap", seq: version };
};

export type ExtendedAuthority = { readonly ok: true; readonly authority: WorkspaceAuthority } | Faulty;

/**
 * Folds the records that follow into the authority.
 * @param stored in order, beginning right after the last record that was folded; none of them is believed
 * @param retired keys of the installation that sign nothing any more, by the time from which they do not
 */
export const extendAuthority = async (
  authority: WorkspaceAuthority,
  stored: readonly StoredRecord[],
  keys: PublicKeys,
  retired: Retired,
): Promise<ExtendedAuthority> => {
  if (stored.length === 0) return { ok: true, authority };
  const checked = checkChain(authority, stored, keys);
  if (!checked.ok) return checked;
  const { records, last } = checked;
  const seq = authority.version + records.length - 1;
  // Each record holds the digest of the one before it, so the last signature covers the whole chain.
  if (isRetired(retired, last.kid, records.at(-1)?.at ?? 0)) return { ok: false, fault: "retired_key", seq };
  if (!(await verifyDigest(last.key, last.signature, last.digest))) return { ok: false, fault: "signature", seq };
  const settings = new Map(authority.settings);
  for (const record of records) applySteps(settings, record);

  const passkeys = records.reduce(foldPasskeys, authority.passkeys);

  return { ok: true, authority: { ...authority, version: authority.version + records.length, head: last.digest, settings, passkeys } };
};
