import fs from "node:fs";
import { createHash } from "node:crypto";
import path from "node:path";
import { withClient } from "../../server/db/connect.ts";
import { nativeFolder } from "../postgres/binaries.ts";
import { initCluster, startCluster, type Cluster, type ClusterPlace, type Stop } from "../postgres/cluster.ts";
import { postgresIdentity, type Identity } from "../postgres/identity.ts";
import { isReachable, reachableNative, systemPlace } from "../postgres/reachable.ts";
import { StartFailure, wordsOf } from "./failure.ts";
import { readSecret } from "./home.ts";
import { stopLeftPostgres } from "./running-postgres.ts";

const database = "countersign";

/** Tables that grow in seconds need statistics as soon. */
const SETTINGS = { autovacuum_naptime: "10s" } as const;

export type Embedded = {
  readonly adminUrl: string;
  readonly cluster: Cluster;
  readonly dataDir: string;
  readonly made: boolean;
  /** Restarts on the same data and port. @throws with its reason */
  readonly restart: () => Promise<Cluster>;
};

/** Remembered, since a folder's rights may change. */
const dataDirOf = (home: string, identity: Identity | null): string => {
  const memory = path.join(home, "postgres-place");

  if (fs.existsSync(memory)) return fs.readFileSync(memory, "utf8").trim();
  const own = path.join(home, "postgres");
  const place = isReachable(own, identity) ? own : systemPlace(`data-${createHash("sha256").update(home).digest("hex").slice(0, 12)}`);

  fs.writeFileSync(memory, `${place}\n`);

  return place;
};

const broken = (dataDir: string, why: string, cause?: unknown): StartFailure =>
  new StartFailure(
    `Cannot use the database folder ${dataDir} (${why}). Restore it from a backup, or move it away to start with an empty one.`,
    cause,
  );

/** Made beside and moved, so whole or absent. */
const ensureData = async (place: ClusterPlace, password: string, signal: AbortSignal): Promise<boolean> => {
  const { dataDir } = place;

  if (fs.existsSync(dataDir)) {
    if (!fs.existsSync(path.join(dataDir, "PG_VERSION"))) throw broken(dataDir, "it has no PG_VERSION file");
    const version = fs.readFileSync(path.join(dataDir, "PG_VERSION"), "utf8").trim();

    if (version !== "18") throw broken(dataDir, `it was created by Postgres ${version || "unknown"}, not 18`);

    return false;
  }
  const draft = `${dataDir}.new`;

  fs.rmSync(draft, { recursive: true, force: true });
  await initCluster({ ...place, dataDir: draft }, password, signal);
  fs.renameSync(draft, dataDir);

  return true;
};

const reasonOf = (error: unknown): string => {
  const words = error instanceof Error ? error.message : wordsOf(error);

  return /(?:FATAL|PANIC):\s+(?<reason>[^\n]+)/u.exec(words)?.groups?.["reason"] ?? words.split("\n").at(-1) ?? "no reason given";
};

const ensureDatabase = async (adminUrl: string): Promise<void> => {
  const url = new URL(adminUrl);

  url.pathname = "/postgres";
  await withClient(url.toString(), async (client) => {
    const known = await client.query("select 1 from pg_database where datname = $1", [database]);

    if (known.rowCount === 0) await client.query(`create database ${client.escapeIdentifier(database)}`);
  });
};

/** Stops what a killed start left. @throws StartFailure for unusable data */
export const startEmbedded = async (home: string, signal: AbortSignal, onSpawned: (stop: Stop) => void): Promise<Embedded> => {
  const identity = postgresIdentity();
  const place = { dataDir: dataDirOf(home, identity), native: reachableNative(nativeFolder(), identity), identity };
  const password = readSecret(home, "postgres.key");
  const made = await ensureData(place, password, signal);

  await stopLeftPostgres(place.dataDir);
  const cluster = await startCluster(place, SETTINGS, onSpawned).catch((error: unknown) => {
    throw broken(place.dataDir, reasonOf(error), error);
  });
  // The caller stops it.
  const restart = (): Promise<Cluster> =>
    startCluster(place, { ...SETTINGS, port: String(cluster.port) }).catch((error: unknown) => {
      throw new Error(reasonOf(error), { cause: error });
    });

  const adminUrl = `postgresql://countersign:${password}@127.0.0.1:${cluster.port}/${database}`;

  await ensureDatabase(adminUrl).catch((error: unknown) => {
    throw broken(place.dataDir, `${wordsOf(error)}; its password is in ${path.join(home, "keys", "postgres.key")}`, error);
  });

  return { adminUrl, cluster, dataDir: place.dataDir, made, restart };
};
