import { computeMemberDigest, computeWorkspaceDigest } from "@/lib/engine/ledger/settings-digests";
import type { MemberRow } from "@/server/store/people/users";
import type { Claim } from "@/server/web/authority";

export const listMemberClaims = ({ user, workspace, role, auditor }: MemberRow): readonly Claim[] => [
  { area: "people", subject: user.id, digest: computeMemberDigest({ role, auditor }, user.disabledAt !== null) },
  { area: "workspace", subject: workspace.id, digest: computeWorkspaceDigest(workspace) },
];
