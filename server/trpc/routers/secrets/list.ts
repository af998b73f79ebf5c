import { listSecrets, type ListedSecret } from "@/server/store/ledger/secrets";
import { procedure } from "@/server/trpc/init";

const view = ({ name, version, createdAt, rotatedAt, usedAt }: ListedSecret) => ({
  name,
  version,
  /** Milliseconds since 1970, as the other times. */
  created_at: createdAt.getTime(),
  rotated_at: rotatedAt?.getTime() ?? null,
  /** To the minute; null when nothing has used it yet. */
  used_at: usedAt?.getTime() ?? null,
});
export type SecretView = ReturnType<typeof view>;

/** Names and dates of the workspace's secrets, by name. No answer has a value. */
export const secretsList = procedure("mcp.manage").query(async ({ ctx }) => (await listSecrets(ctx.workspaceId)).map(view));
