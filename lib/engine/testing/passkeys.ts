import type { Countersignable } from "@/lib/engine/ledger/countersignable";
import { countersignatureChallenge } from "@/lib/engine/ledger/countersignable";
import type { Countersigned } from "@/lib/engine/events/workspace";
import type { RunEvent } from "@/lib/engine/event";
import { foldPasskeys, NO_PASSKEYS, type PasskeyFold } from "@/lib/engine/ledger/passkey-fold";
import type { Principal } from "@/lib/engine/principal";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import { ownRecord } from "@/lib/engine/ledger/workspace-ledger";
import type { Authenticator } from "./authenticator";
import { uuid } from "./run";

const PASSKEY_WORKSPACE = uuid(1);

export const passkeyStep = (principal: Principal, at: number, control: readonly RunEvent[], seq = 0): LedgerRecord =>
  ownRecord(
    { id: uuid(70 + seq), workspace: PASSKEY_WORKSPACE, at, principal, body: { kind: "passkey_step" } },
    control,
    seq === 0 ? null : { version: seq, head: "0".repeat(64) },
  );

export const foldOf = (...records: readonly LedgerRecord[]): PasskeyFold => records.reduce(foldPasskeys, NO_PASSKEYS);

export const countersignedBy = async (
  { passkey, assert }: Authenticator,
  user: string,
  asked: Countersignable,
  workspace = PASSKEY_WORKSPACE,
): Promise<Countersigned> => ({
  type: "countersigned",
  user,
  asked,
  passkey: { ...(await assert(countersignatureChallenge(workspace, user, asked))), ...passkey },
});
