/** Settings and passkeys in force; database rows count only with their digest. */
import type { HexDigest } from "@/lib/hash";
import type { AdminArea } from "@/lib/engine/events/workspace";
import { isRetired, type Retired } from "@/lib/engine/ledger/handover";
import { foldPasskeys, NO_PASSKEYS, type PasskeyFold } from "@/lib/engine/ledger/passkey-fold";
import { isUnfoundedTakeOver } from "@/lib/engine/ledger/program-fold";
import { foldEnvironments, NO_ENVIRONMENTS, type EnvironmentFold } from "@/lib/environments/environment-fold";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import { foldApprovers, NO_APPROVERS, type ApproverFold } from "@/lib/people/approver-fold";
import { verifyDigest, type PublicKeys, type SignedDigest } from "@/lib/engine/ledger/signature";
import { GENESIS_PARENT } from "@/lib/engine/state";
import { readRecord, type StoredRecord } from "@/lib/engine/ledger/stored-record";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";

export type AuthorityFault =
  | "malformed"
  | "hash"
  | "wrong_run"
  | "seq_gap"
  | "link"
  | "unknown_key"
  | "retired_key"
  | "signature"
  /** Ends before, or differs from, an earlier read. */
  | "rolled_back";

export type SettingsInForce = {
  readonly digest: HexDigest;
  readonly seq: number;
};

export type WorkspaceAuthority = {
  readonly workspace: string;
  readonly version: number;
  readonly head: HexDigest;
  readonly settings: ReadonlyMap<string, SettingsInForce>;
  readonly passkeys: PasskeyFold;
  readonly approvers: ApproverFold;
  readonly environments: EnvironmentFold;
};

export const createAuthority = (workspace: string): WorkspaceAuthority => ({
  workspace,
  version: 0,
  head: GENESIS_PARENT,
  settings: new Map(),
  passkeys: NO_PASSKEYS,
  approvers: NO_APPROVERS,
  environments: NO_ENVIRONMENTS,
});

/** Unique: areas contain no slash. */
export const getSettingsKey = (area: AdminArea, subject: string): string => `${area}/${subject}`;

export const digestInForce = ({ settings }: WorkspaceAuthority, area: AdminArea, subject: string): HexDigest | null =>
  settings.get(getSettingsKey(area, subject))?.digest ?? null;

/** Digests of calls and answers. */
const NO_SETTINGS: ReadonlySet<string> = new Set(["console_called", "console_answered"]);

const applySteps = (settings: Map<string, SettingsInForce>, record: LedgerRecord): void => {
  const { control, seq } = record;
  for (const event of control) {
    if (event.type !== "admin_changed" || NO_SETTINGS.has(event.step) || (event.before === null && event.after === null)) continue;
    if (isUnfoundedTakeOver(record, event)) continue;
    const key = getSettingsKey(event.area, event.subject);
    if (event.after === null) settings.delete(key);
    else settings.set(key, { digest: event.after, seq });
  }
};

type Checked = { readonly ok: true; readonly records: readonly LedgerRecord[]; readonly last: SignedDigest & { readonly kid: string } };
type Faulty = { readonly ok: false; readonly fault: AuthorityFault; readonly seq: number };

const checkChain = (authority: WorkspaceAuthority, stored: readonly StoredRecord[], keys: PublicKeys): Checked | Faulty => {
  const run = getWorkspaceLedgerId(authority.workspace);
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
 * Folds further records.
 * @param stored unverified
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
  // Records are chained, so the last signature covers all.
  if (isRetired(retired, last.kid, records.at(-1)?.at ?? 0)) return { ok: false, fault: "retired_key", seq };
  if (!(await verifyDigest(last.key, last.signature, last.digest))) return { ok: false, fault: "signature", seq };
  const settings = new Map(authority.settings);
  for (const record of records) applySteps(settings, record);

  const passkeys = records.reduce(foldPasskeys, authority.passkeys);
  const approvers = records.reduce(foldApprovers, authority.approvers);
  const environments = records.reduce(foldEnvironments, authority.environments);
  const { version } = authority;

  return {
    ok: true,
    authority: { ...authority, version: version + records.length, head: last.digest, settings, passkeys, approvers, environments },
  };
};
