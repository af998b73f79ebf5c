/** Passkeys by signed records; database access adds none. */
import { z } from "zod";
import type { HexDigest } from "@/lib/hash";
import { uuidSchema } from "@/lib/ids";
import type { RefusalCode } from "@/lib/refusal";
import { isAllowed } from "@/lib/roles";
import { visibleNameSchema } from "@/lib/visible-name";
import { assertionSchema, passkeySchema } from "@/lib/engine/approvals/assertion";
import type { RunEvent } from "@/lib/engine/event";
import { isOriginOf, isPasskeyKey } from "@/lib/engine/approvals/passkey";
import {
  ALLOWANCE_MS,
  countersign,
  countersignIfAble,
  foldPasskeys,
  NO_PASSKEYS,
  openAllowance,
  listPasskeysOfPerson,
  type KnownPasskey,
  type PasskeyFold,
} from "@/lib/engine/ledger/passkey-fold";
import { NOT_RETIRED, type Retired } from "@/lib/engine/ledger/handover";
import type { Principal } from "@/lib/engine/principal";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import type { PublicKeys } from "@/lib/engine/ledger/signature";
import { verifyRecord, type StoredRecord } from "@/lib/engine/ledger/stored-record";
import { ownRecord, getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";

export const passkeyLabelSchema = visibleNameSchema(100);

/** Sent to the workspace itself, under run id `getWorkspaceLedgerId`. */
export const passkeyCommandSchema = z.discriminatedUnion("kind", [
  /** Signed by a passkey the person already has. */
  z.strictObject({
    kind: z.literal("passkey_register"),
    passkey: passkeySchema,
    label: passkeyLabelSchema,
    assertion: assertionSchema.exactOptional(),
  }),
  z.strictObject({ kind: z.literal("passkey_revoke"), credential_id: passkeySchema.shape.credential_id }),
  z.strictObject({ kind: z.literal("passkey_allow"), allowance: uuidSchema, user: uuidSchema, assertion: assertionSchema.exactOptional() }),
]);
export type PasskeyCommand = z.infer<typeof passkeyCommandSchema>;
type CommandOf<K extends PasskeyCommand["kind"]> = Extract<PasskeyCommand, { kind: K }>;

export type PasskeyFacts = {
  readonly workspace: string;
  readonly fold: PasskeyFold;
  readonly atMs: number;
  /** For passkeys without stored origins. */
  readonly origin: string;
  readonly isMember: boolean;
};

const MOST_PASSKEYS = 20;
/** Includes revoked ones, whose records every check reads. */
const MOST_EVER = 200;

type Outcome = readonly RunEvent[] | RefusalCode;

const registerPasskey = (user: string, { passkey, assertion }: CommandOf<"passkey_register">, facts: PasskeyFacts): Outcome => {
  const { fold, atMs } = facts;
  const { origin, rp_id } = passkey;
  const ever = listPasskeysOfPerson(fold, user);
  if (!isPasskeyKey(passkey.public_key) || origin === undefined || !isOriginOf(origin, rp_id)) return "passkey_invalid";
  // Revoked ones stay revoked, so what they signed keeps its meaning.
  if (fold.passkeys.has(passkey.credential_id)) return "passkey_exists";
  if (ever.filter(({ revokedAt }) => revokedAt === null).length >= MOST_PASSKEYS || ever.length >= MOST_EVER) return "passkey_limit";
  const signed = countersign(fold, { ...facts, user }, { kind: "passkey_register", passkey }, assertion);
  if (!signed.ok) return signed.error;
  if (!signed.value && !openAllowance(fold, user, atMs)) return "passkey_not_allowed";

  return [{ type: "passkey_registered", user, ...passkey }, ...(signed.value ? [signed.value] : [])];
};

const allowPasskey = (
  by: Extract<Principal, { type: "user" }>,
  { allowance, user, assertion }: CommandOf<"passkey_allow">,
  facts: PasskeyFacts,
): Outcome => {
  if (!isAllowed(by.role, "people.manage")) return "principal_not_allowed";
  if (user === by.id) return "own_account";
  if (!facts.isMember) return "not_found";
  const signed = countersignIfAble(facts.fold, { ...facts, user: by.id }, { kind: "passkey_allow", allowance, user }, assertion);
  if (!signed.ok) return signed.error;

  return [{ type: "passkey_allowed", user, allowance, expires_at: facts.atMs + ALLOWANCE_MS }, ...(signed.value ? [signed.value] : [])];
};

export const decidePasskey = (principal: Principal, command: PasskeyCommand, facts: PasskeyFacts): Outcome => {
  if (principal.type !== "user") return "principal_not_allowed";
  switch (command.kind) {
    case "passkey_register":
      return registerPasskey(principal.id, command, facts);
    case "passkey_revoke": {
      const { credential_id } = command;
      const isOwn = listPasskeysOfPerson(facts.fold, principal.id).some(
        (own) => own.credential_id === credential_id && own.revokedAt === null,
      );

      return isOwn ? [{ type: "passkey_revoked", user: principal.id, credential_id }] : "not_found";
    }
    case "passkey_allow":
      return allowPasskey(principal, command, facts);
    default:
      return command satisfies never;
  }
};

type Asked = {
  readonly id: string;
  readonly workspace: string;
  readonly at: number;
  readonly principal: Principal;
  readonly body: PasskeyCommand;
};

/**
 * Builds the next workspace record.
 * @param end null: empty ledger
 */
export const passkeyRecord = (
  asked: Asked,
  outcome: Outcome,
  end: { readonly version: number; readonly head: HexDigest } | null,
): LedgerRecord => ownRecord(asked, outcome, end);

/**
 * Returns the passkeys in signed records.
 * @param records any order, any source
 */
export const collectPasskeys = async (
  workspace: string,
  records: readonly StoredRecord[],
  keys: PublicKeys,
  retired: Retired = NOT_RETIRED,
): Promise<readonly KnownPasskey[]> => {
  const ledger = getWorkspaceLedgerId(workspace);
  const genuine = await Promise.all(records.map((stored) => verifyRecord(stored, keys, retired)));
  const own = genuine
    .flatMap((signed) => (signed && signed.record.workspace === workspace && signed.record.run === ledger ? [signed.record] : []))
    .toSorted((a, b) => a.seq - b.seq);

  return [...own.reduce(foldPasskeys, NO_PASSKEYS).passkeys.values()];
};
