/** Temporary Postgres for tests and migrations. */
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { nativeFolder } from "./binaries.ts";
import { initCluster, startCluster } from "./cluster.ts";
import { postgresIdentity } from "./identity.ts";
import { isReachable, reachableNative, systemPlace } from "./reachable.ts";

export type TemporaryPostgres = { readonly adminUrl: string; stop(): Promise<void> };

export const THROW_AWAY = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  max_connections: "200",
  scram_iterations: "1",
  // New statistics in between would change plans.
  autovacuum: "off",
} as const;

const MEMORY = "/dev/shm";
const NEEDED_BYTES = 4 * 1024 ** 3;

const hasRoom = (folder: string): boolean => {
  try {
    const { bavail, bsize } = fs.statfsSync(folder);

    return bavail * bsize >= NEEDED_BYTES;
  } catch {
    return false;
  }
};

/** Ext4 creates files slowly after databases were removed. */
export const placeFor = (settings: Readonly<Record<string, string>>): string =>
  settings["fsync"] === "off" && hasRoom(MEMORY) ? MEMORY : os.tmpdir();

/** Starts an empty server; `stop` removes its folder. */
export const temporaryPostgres = async (settings: Readonly<Record<string, string>> = THROW_AWAY): Promise<TemporaryPostgres> => {
  const identity = postgresIdentity();
  const prefix = path.join(placeFor(settings), "countersign-postgres-");
  const folder = fs.mkdtempSync(isReachable(prefix, identity) ? prefix : systemPlace("postgres-"));
  const place = {
    dataDir: path.join(folder, "data"),
    native: reachableNative(nativeFolder(), identity),
    identity,
    temporaryFolder: folder,
  };
  const password = randomBytes(16).toString("hex");

  // Postgres' system user must traverse the folder.
  if (identity !== null) fs.chownSync(folder, identity.uid, identity.gid);
  try {
    await initCluster(place, password);
    const cluster = await startCluster(place, settings);

    return {
      adminUrl: `postgresql://countersign:${password}@127.0.0.1:${cluster.port}/postgres`,
      stop: async () => {
        await cluster.stop();
        fs.rmSync(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    // Nothing else would remove an interrupted start.
    fs.rmSync(folder, { recursive: true, force: true });
    throw error;
  }
};
