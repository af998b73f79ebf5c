/**
 * Whose passkey a key is: registered and revoked by records of the workspace's own ledger, so that nobody who only holds the
 * database can slip one in, and so that anybody who has the records can tell whose it was.
 */
import { z } from "zod";
import type { HexDigest } from "@/lib/hash";
import type { RefusalCode } from "@/lib/refusal";
import { visibleNameSchema } from "@/lib/visible-name";
import { passkeySchema, type Passkey } from "@/lib/engine/assertion";
import type { RunEvent } from "@/lib/engine/event";
import { isOriginOf, isPasskeyKey } from "@/lib/engine/passkey";
import { NOT_RETIRED, type Retired } from "@/lib/engine/handover";
import type { Principal } from "@/lib/engine/principal";
import type { LedgerRecord } from "@/lib/engine/record";
import type { PublicKeys } from "@/lib/engine/signature";
import { genuineRecord, type StoredRecord } from "@/lib/engine/stored-record";
import { ownRecord, workspaceLedgerId } from "@/lib/engine/workspace-ledger";

export const passkeyLabelSchema = visibleNameSchema(100);

/** Commands to a workspace itself: their run id is `workspaceLedgerId`. Each is about the passkeys of whoever sends it. */
export const passkeyCommandSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("passkey_register"), passkey: passkeySchema, label: passkeyLabelSchema }),
  z.strictObject({ kind: z.literal("passkey_revoke"), credential_id: passkeySchema.shape.credential_id }),
]);
export type PasskeyCommand = z.infer<typeof passkeyCommandSchema>;

export type PasskeyEvent = Extract<RunEvent, { type: "passkey_registered" | "passkey_revoked" }>;

export type KnownPasskey = Passkey & {
  readonly user: string;
  /** ms since 1970, by the runner's clock */
  readonly registeredAt: number;
  readonly revokedAt: number | null;
};

const MOST_PASSKEYS = 20;
/** Revoked ones included: the records of all of them are verified whenever a signature is. */
const MOST_EVER = 200;

/**
 * What comes of a command.
 * @param known every passkey of the workspace, as its records say
 */
export const decidePasskey = (
  principal: Principal,
  command: PasskeyCommand,
  known: readonly KnownPasskey[],
): PasskeyEvent | RefusalCode => {
  if (principal.type !== "user") return "principal_not_allowed";
  const user = principal.id;
  const ever = known.filter((passkey) => passkey.user === user);
  const own = ever.filter((passkey) => passkey.revokedAt === null);
  switch (command.kind) {
    case "passkey_register": {
      const { passkey } = command;
      const { origin, rp_id } = passkey;
      if (!isPasskeyKey(passkey.public_key) || origin === undefined || !isOriginOf(origin, rp_id)) return "passkey_invalid";
      // A revoked one does not come back either: what it signed before stays what it was.
      if (known.some(({ credential_id }) => credential_id === passkey.credential_id)) return "passkey_exists";

      return own.length >= MOST_PASSKEYS || ever.length >= MOST_EVER ? "passkey_limit" : { type: "passkey_registered", user, ...passkey };
    }
    case "passkey_revoke": {
      const { credential_id } = command;

      return own.some((passkey) => passkey.credential_id === credential_id)
        ? { type: "passkey_revoked", user, credential_id }
        : "not_found";
    }
    default:
      return command satisfies never;
  }
};

type Asked = {
  readonly id: string;
  readonly workspace: string;
  /** ms since 1970 */
  readonly at: number;
  readonly principal: Principal;
  readonly body: PasskeyCommand;
};

/** The next record of the workspace's own ledger. @param end where the ledger ends; null when nothing is in it */
export const passkeyRecord = (
  asked: Asked,
  outcome: PasskeyEvent | RefusalCode,
  end: { readonly version: number; readonly head: HexDigest } | null,
): LedgerRecord => ownRecord(asked, outcome, end);

const folded = (
  known: ReadonlyMap<string, KnownPasskey>,
  event: RunEvent,
  by: Principal,
  at: number,
): ReadonlyMap<string, KnownPasskey> => {
  if (event.type !== "passkey_registered" && event.type !== "passkey_revoked") return known;
  // Whatever a record says, nobody registers or revokes for somebody else.
  if (by.type !== "user" || by.id !== event.user) return known;
  const found = known.get(event.credential_id);
  if (event.type === "passkey_revoked") {
    return found?.user === event.user && found.revokedAt === null
      ? new Map(known).set(found.credential_id, { ...found, revokedAt: at })
      : known;
  }
  const { type: _type, ...passkey } = event;

  return found ? known : new Map(known).set(event.credential_id, { ...passkey, registeredAt: at, revokedAt: null });
};

/**
 * The passkeys that signed records of the workspace's own ledger speak of. Anything that is no such record says nothing.
 * @param records in any order, none of them believed for where it came from
 */
export const passkeysIn = async (
  workspace: string,
  records: readonly StoredRecord[],
  keys: PublicKeys,
  retired: Retired = NOT_RETIRED,
): Promise<readonly KnownPasskey[]> => {
  const ledger = workspaceLedgerId(workspace);
  const genuine = await Promise.all(records.map((stored) => genuineRecord(stored, keys, retired)));
  const own = genuine
    .flatMap((signed) => (signed && signed.record.workspace === workspace && signed.record.run === ledger ? [signed.record] : []))
    .toSorted((a, b) => a.seq - b.seq);
  const known = own.reduce<ReadonlyMap<string, KnownPasskey>>(
    (all, record) => record.control.reduce((before, event) => folded(before, event, record.principal, record.at), all),
    new Map(),
  );

  return [...known.values()];
};
