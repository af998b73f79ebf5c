import { listSecrets, type ListedSecret } from "@/server/store/ledger/secrets";
import { createProcedure } from "@/server/trpc/init";

const view = ({ name, version, createdAt, rotatedAt, usedAt }: ListedSecret) => ({
  name,
  version,
  created_at: createdAt.getTime(),
  rotated_at: rotatedAt?.getTime() ?? null,
  /** To the minute; null: unused. */
  used_at: usedAt?.getTime() ?? null,
});
export type SecretView = ReturnType<typeof view>;

export const secretsList = createProcedure("mcp.manage").query(async ({ ctx }) => (await listSecrets(ctx.workspaceId)).map(view));
