/** Writes settings as the admin's role, bypassing commands. */
import { randomUUID } from "node:crypto";
import type { ModelSettings } from "@/lib/model-settings";
import type { Provider } from "@/lib/model-provider";
import { getOrigin } from "@/lib/model-provider";
import { sealProviderKey } from "@/server/models/own-key";
import type { Vault } from "@/server/security/vault";
import { readModelSettings, writeModelSettings, writeProviderKey } from "@/server/store/workspaces/model-settings";
import { queryOn } from "@/server/testing/connections";

export const storedSettings = async (adminUrl: string, workspaceId: string, settings: ModelSettings): Promise<void> => {
  const client = { query: async (text: string, values: unknown[]) => ({ rows: await queryOn(adminUrl, text, values) }) };
  await writeModelSettings(client, workspaceId, await readModelSettings(client, workspaceId), settings);
};

export const storedKey = async (adminUrl: string, vault: Vault, workspaceId: string, provider: Provider, key: string): Promise<void> => {
  const client = { query: async (text: string, values: unknown[]) => ({ rows: await queryOn(adminUrl, text, values) }) };
  const sealed = sealProviderKey(vault, { workspaceId, provider: provider.id, origin: getOrigin(provider) ?? "" }, key);
  await writeProviderKey(client, workspaceId, { provider: provider.id, sealed, userId: randomUUID() });
};
