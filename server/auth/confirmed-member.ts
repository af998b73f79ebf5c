/** A member as the signed records of the workspace have them, for everything that signs somebody in. */
import { memberDigest, workspaceDigest } from "@/lib/engine/ledger/settings-digests";
import type { MemberRow } from "@/server/store/people/users";
import type { Claim } from "@/server/web/authority";

/** Lists what the rows of a member say. */
export const memberClaims = ({ user, workspace, role, auditor }: MemberRow): readonly Claim[] => [
  { area: "people", subject: user.id, digest: memberDigest({ role, auditor }, user.disabledAt !== null) },
  { area: "workspace", subject: workspace.id, digest: workspaceDigest(workspace) },
];
