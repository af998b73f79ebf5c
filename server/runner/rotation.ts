/** Vault key rotation: rewraps older cell keys in batches. */
import { getPartPlace } from "@/server/architect/job";
import { log } from "@/server/log";
import { resealWebhookSecrets, listWebhookSecretsInUse } from "@/server/notify/reseal";
import type { RunnerDeps } from "@/server/runner/deps";
import { getSecretPlace } from "@/server/security/secrets";
import type { Vault } from "@/server/security/vault";
import { listOlderFileKeys, storeFileKey } from "@/server/store/artifacts";
import { rotateSome, sealedJobParts, storeJobPart, listWaitingCommands, type SealedJobPart } from "@/server/store/ledger/cells-rotation";
import { listStoredSecrets, storeResealed } from "@/server/store/ledger/secrets";

const EVERY_MS = 1_000;
const BATCH = 500;

const placeOfJob = ({ id, part }: SealedJobPart): string => getPartPlace(id, part);

/** Architect jobs are few, so they are resealed whole. */
const resealJobs = async (vault: Vault): Promise<void> => {
  for (const found of await sealedJobParts()) {
    const next = vault.resealCommand(found.workspace, placeOfJob(found), found.sealed);
    if (next) await storeJobPart(found, next);
  }
};

const resealSecrets = async (vault: Vault): Promise<void> => {
  for (const found of await listStoredSecrets()) {
    const next = vault.resealCommand(found.workspace, getSecretPlace(found.name, found.environment), found.sealed);
    if (next) await storeResealed(found, next);
  }
};

const FILES_AT_ONCE = 500;

const rewrapFiles = async (vault: Vault, after: string | null = null): Promise<void> => {
  const found = await listOlderFileKeys(vault.newestVersion(), after, FILES_AT_ONCE);
  for (const { wrappedKey, ...place } of found) {
    const next = vault.rewrapFile(place, wrappedKey);
    if (next) await storeFileKey(place.id, next);
  }
  if (found.length === FILES_AT_ONCE) await rewrapFiles(vault, found.at(-1)?.id ?? null);
};

const hasOlderFiles = async (vault: Vault, version: number): Promise<boolean> =>
  (await listOlderFileKeys(version, null, FILES_AT_ONCE)).some(({ wrappedKey, ...place }) => vault.rewrapFile(place, wrappedKey) !== null);

/** Returns whether pending commands, sealed by their sender, still need an older key. */
export const waitsUnderOlder = async (vault: Vault, version: number): Promise<boolean> => {
  const parts = (await sealedJobParts()).map((found) => ({ workspace: found.workspace, id: placeOfJob(found), body: found.sealed }));
  const stored = await listStoredSecrets();
  const secrets = stored.map(({ workspace, name, environment, sealed }) => ({
    workspace,
    id: getSecretPlace(name, environment),
    body: sealed,
  }));

  if (await hasOlderFiles(vault, version)) return true;

  return [...(await listWaitingCommands()), ...parts, ...secrets, ...(await listWebhookSecretsInUse())].some(({ workspace, id, body }) => {
    const sealedUnder = vault.commandVersion(workspace, id, body);

    return sealedUnder !== null && sealedUnder < version;
  });
};

export const rotateBatch = (vault: Vault, limit = BATCH): ReturnType<typeof rotateSome> =>
  rotateSome({
    newest: vault.newestVersion(),
    limit,
    rewrap: ({ workspace, run, seq, index, path, label, wrappedKey }) =>
      vault.rewrapKey({ workspace, run, seq, index, path, label }, wrappedKey),
    isHeldUp: async (version) => {
      await rewrapFiles(vault);
      await resealJobs(vault);
      await resealWebhookSecrets(vault);
      await resealSecrets(vault);

      return waitsUnderOlder(vault, version);
    },
  });

export const startRotations = ({ vault }: Pick<RunnerDeps, "vault">): { readonly close: () => Promise<void> } => {
  const closed = new AbortController();
  const goOn = async (): Promise<void> => {
    while (!closed.signal.aborted) {
      const step = await rotateBatch(vault);
      if (step === "no_key") log().warn("the vault key that a rotation is to is not in this runner's key file");
      if (step === "done") log().info("the vault key is rotated: no cell is wrapped under an older one");
      if (step !== "more") return;
    }
  };
  let work: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    work = work.then(goOn).catch((error: unknown) => log().warn({ error: String(error) }, "the rotation of the vault key goes on later"));
  }, EVERY_MS);

  return {
    close: async () => {
      closed.abort();
      clearInterval(timer);
      await work;
    },
  };
};
