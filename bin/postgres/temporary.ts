/** A Postgres that is thrown away: for tests and for making migrations. */
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { nativeFolder } from "./binaries.ts";
import { initCluster, startCluster } from "./cluster.ts";
import { postgresIdentity } from "./identity.ts";
import { isReachable, reachableNative, systemPlace } from "./reachable.ts";

export type TemporaryPostgres = { readonly adminUrl: string; stop(): Promise<void> };

/** Durability matters in the product, not in a database that is thrown away. */
const NOT_DURABLE = { fsync: "off", synchronous_commit: "off", full_page_writes: "off", max_connections: "200" } as const;

/** Starts an empty server in a temporary folder; `stop` removes both. @param settings of the server */
export const temporaryPostgres = async (settings: Readonly<Record<string, string>> = NOT_DURABLE): Promise<TemporaryPostgres> => {
  const identity = postgresIdentity();
  const inTemp = path.join(os.tmpdir(), "countersign-postgres-");
  const folder = fs.mkdtempSync(isReachable(inTemp, identity) ? inTemp : systemPlace("postgres-"));
  const place = {
    dataDir: path.join(folder, "data"),
    native: reachableNative(nativeFolder(), identity),
    identity,
    temporaryFolder: folder,
  };
  const password = randomBytes(16).toString("hex");

  // The folder must be traversable by the system user that Postgres runs as when we are root.
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
    // An interrupted start has nobody who would stop it.
    fs.rmSync(folder, { recursive: true, force: true });
    throw error;
  }
};
