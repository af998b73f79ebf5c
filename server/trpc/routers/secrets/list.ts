import { listSecrets, type ListedSecret } from "@/server/store/ledger/secrets";
import { createProcedure } from "@/server/trpc/init";

const view = ({ name, environment, version, createdAt, rotatedAt, usedAt }: ListedSecret) => ({
  name,
  environment,
  version,
  createdAt: createdAt.getTime(),
  rotatedAt: rotatedAt?.getTime() ?? null,
  /** To the minute; null: unused. */
  usedAt: usedAt?.getTime() ?? null,
});
export type SecretView = ReturnType<typeof view>;

export const secretsList = createProcedure("mcp.manage").query(async ({ ctx }) => (await listSecrets(ctx.workspaceId)).map(view));
