/** The passkey signature of an admin over what they change, demanded where the policy demands passkeys. */
import { changeToSign, type SignedChange } from "@/lib/admin-change";
import type { Countersigned } from "@/lib/engine/event-passkey";
import { countersign, countersignIfAble } from "@/lib/engine/ledger/passkey-fold";
import type { RefusalCode } from "@/lib/refusal";
import type { Result } from "@/lib/result";
import { ownOrigin } from "@/server/own-origin";
import { standingPolicy } from "@/server/runner/approval-policy";
import { unlessUnproved } from "@/server/runner/identify";
import type { LedgerClient } from "@/server/store/runs/attempts";
import type { AuthorityReader } from "@/server/store/trust/authority";

/** Stands for the challenge of a change that came without a signature; no passkey signs it. */
const UNSIGNED = "00000000-0000-0000-0000-000000000000";

const verify = async (
  authority: AuthorityReader,
  workspace: string,
  user: string,
  { change, signed }: SignedChange,
  client: LedgerClient | undefined,
): Promise<Result<Countersigned | null, RefusalCode>> => {
  const { inForce } = await standingPolicy(authority, workspace);
  const { passkeys } = await authority.read(workspace, client);
  const check = inForce === "write" ? countersignIfAble : countersign;

  return check(passkeys, { workspace, user, origin: ownOrigin() }, changeToSign(change, signed?.request ?? UNSIGNED), signed?.assertion);
};

/**
 * Checks what a person signed of a change.
 * @param asked null: the change takes no signature
 * @param client the transaction of the record, so that no other one spends the same signature meanwhile
 * @returns the events for the record, or why the change is refused
 */
export const verifySignedChange = async (
  authority: AuthorityReader,
  workspace: string,
  user: string,
  asked: SignedChange | null,
  client?: LedgerClient,
): Promise<readonly Countersigned[] | RefusalCode> => {
  if (asked === null) return [];
  const signed = await unlessUnproved(verify(authority, workspace, user, asked, client));
  if (typeof signed === "string") return signed;
  if (!signed.ok) return signed.error;

  return signed.value ? [signed.value] : [];
};
