import type { Vault } from "@/server/security/vault";
import { sealedWebhookSecrets, storeWebhookSecret } from "@/server/store/webhooks/outbox";
import { getSecretPlace } from "./secret";

export const resealWebhookSecrets = async (vault: Vault): Promise<void> => {
  for (const found of await sealedWebhookSecrets()) {
    const next = vault.resealCommand(found.workspace, getSecretPlace(found.id), found.sealed);
    if (next) await storeWebhookSecret(found, next);
  }
};

/** Lists secrets that may need an old vault key. */
export const listWebhookSecretsInUse = async () =>
  (await sealedWebhookSecrets()).map(({ workspace, id, sealed }) => ({ workspace, id: getSecretPlace(id), body: sealed }));
