/** A member as the signed records of the workspace have them, for everything that signs somebody in. */
import { memberDigest, passwordDigest, workspaceDigest } from "@/lib/engine/settings-digests";
import { findMember, type MemberRow } from "@/server/store/users";
import { confirmRow, unlessMismatch, type Claim } from "@/server/web/authority";

/** @param passwordHash that counts only when it is in force; null: the account has none */
export const passwordClaim = (userId: string, passwordHash: string | null): Claim => ({
  area: "passwords",
  subject: userId,
  digest: passwordDigest(passwordHash),
});

const memberClaims = ({ user, workspace, role, auditor }: MemberRow): readonly Claim[] => [
  { area: "people", subject: user.id, digest: memberDigest({ role, auditor }, user.disabledAt !== null) },
  { area: "workspace", subject: workspace.id, digest: workspaceDigest(workspace) },
];

/**
 * Returns a member when role, add-on, disabling and the demo flag of the workspace are in force.
 * @param readAgain null: the member is gone meanwhile
 * @param more what else has to be in force
 * @throws AppError authority_mismatch
 */
export const confirmMember = (
  found: MemberRow,
  readAgain: () => Promise<MemberRow | null>,
  more: (member: MemberRow) => readonly Claim[] = () => [],
): Promise<MemberRow | null> =>
  confirmRow<MemberRow | null>(found.workspace.id, found, readAgain, (row) => (row ? [...memberClaims(row), ...more(row)] : []));

/** Returns the member with this account, once all of it and the hash are confirmed; null when they are a member of nothing. */
export const confirmedAccount = async (userId: string, passwordHash: string | null): Promise<MemberRow | "authority_mismatch" | null> => {
  const readMember = () => findMember(userId);
  const found = await readMember();
  const claims = () => [passwordClaim(userId, passwordHash)];

  return found && unlessMismatch(confirmMember(found, readMember, claims), "authority_mismatch");
};
