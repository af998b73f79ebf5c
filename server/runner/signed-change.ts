/** Admins' passkey signatures over changes, where the policy requires them. */
import { changeToSign, type SignedChange } from "@/lib/admin-change";
import type { Countersigned } from "@/lib/engine/events/workspace";
import { countersign, countersignIfAble } from "@/lib/engine/ledger/passkey-fold";
import type { RefusalCode } from "@/lib/refusal";
import type { Result } from "@/lib/result";
import { ownOrigin } from "@/server/own-origin";
import { isDemandedAnywhere } from "@/server/runner/approval-policy";
import { unlessUnproved } from "@/server/runner/identify";
import type { LedgerTransaction } from "@/server/store/runs/attempts";
import type { AuthorityReader } from "@/server/store/trust/authority";

/** No passkey signs this challenge. */
const UNSIGNED = "00000000-0000-0000-0000-000000000000";

const verify = async (
  authority: AuthorityReader,
  workspace: string,
  user: string,
  { change, signed }: SignedChange,
  client: LedgerTransaction | undefined,
): Promise<Result<Countersigned | null, RefusalCode>> => {
  const isDemanded = await isDemandedAnywhere(authority, workspace);
  const { passkeys } = await authority.read(workspace, client);
  const check = isDemanded ? countersignIfAble : countersign;

  return check(passkeys, { workspace, user, origin: ownOrigin() }, changeToSign(change, signed?.request ?? UNSIGNED), signed?.assertion);
};

/**
 * Verifies a signature over a change. @param asked null: none needed @param client the record's transaction, against concurrent reuse
 * @returns the record's events, or the refusal
 */
export const verifySignedChange = async (
  authority: AuthorityReader,
  workspace: string,
  user: string,
  asked: SignedChange | null,
  client?: LedgerTransaction,
): Promise<readonly Countersigned[] | RefusalCode> => {
  if (asked === null) return [];
  const signed = await unlessUnproved(verify(authority, workspace, user, asked, client));
  if (typeof signed === "string") return signed;
  if (!signed.ok) return signed.error;

  return signed.value ? [signed.value] : [];
};
