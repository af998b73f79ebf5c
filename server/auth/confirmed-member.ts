/** Members as the signed records have them, for every kind of sign-in. */
import { memberDigest, workspaceDigest } from "@/lib/engine/ledger/settings-digests";
import type { MemberRow } from "@/server/store/people/users";
import { confirmRow, type Claim } from "@/server/web/authority";

/** Lists the claims in a member's rows. */
export const memberClaims = ({ user, workspace, role, auditor }: MemberRow): readonly Claim[] => [
  { area: "people", subject: user.id, digest: memberDigest({ role, auditor }, user.disabledAt !== null) },
  { area: "workspace", subject: workspace.id, digest: workspaceDigest(workspace) },
];

/**
 * Returns a member whose role, add-on, disabling and workspace demo flag match the records.
 * @param readAgain null: the member is gone meanwhile
 * @throws AppError authority_mismatch
 */
export const confirmMember = (found: MemberRow, readAgain: () => Promise<MemberRow | null>): Promise<MemberRow | null> =>
  confirmRow<MemberRow | null>(found.workspace.id, found, readAgain, (row) => (row ? memberClaims(row) : []));
