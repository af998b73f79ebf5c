/** Writes settings as the admin's role, bypassing commands. */
import { randomUUID } from "node:crypto";
import { PrismaPg } from "@prisma/adapter-pg";
import type { ModelSettings } from "@/lib/model-settings";
import type { Provider } from "@/lib/model-provider";
import { getOrigin } from "@/lib/model-provider";
import { PrismaClient } from "@/server/db/generated/client";
import { sealProviderKey } from "@/server/models/own-key";
import type { Vault } from "@/server/security/vault";
import type { LedgerTransaction } from "@/server/store/runs/attempts";
import { readModelSettings, writeModelSettings, writeProviderKey } from "@/server/store/workspaces/model-settings";

const asAdmin = async (adminUrl: string, work: (tx: LedgerTransaction) => Promise<void>): Promise<void> => {
  const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: adminUrl, max: 1 }) });
  try {
    await prisma.$transaction(work, { maxWait: 10_000, timeout: 20_000 });
  } finally {
    await prisma.$disconnect();
  }
};

export const storedSettings = (adminUrl: string, workspaceId: string, settings: ModelSettings): Promise<void> =>
  asAdmin(adminUrl, async (tx) => writeModelSettings(tx, workspaceId, await readModelSettings(tx, workspaceId), settings));

export const storedKey = (
  adminUrl: string,
  vault: Vault,
  workspaceId: string,
  provider: Provider,
  key: string,
  environment: string | null = null,
): Promise<void> => {
  const place = { workspaceId, provider: provider.id, environment };
  const sealed = sealProviderKey(vault, { ...place, origin: getOrigin(provider) ?? "" }, key);

  return asAdmin(adminUrl, (tx) => writeProviderKey(tx, place, { sealed, userId: randomUUID() }));
};
