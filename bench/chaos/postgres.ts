/** Durable, on a fixed port, to be stopped and crashed. */
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { nativeFolder } from "@/bin/postgres/binaries";
import { freePort, initCluster, startCluster, type Cluster } from "@/bin/postgres/cluster";
import { postgresIdentity } from "@/bin/postgres/identity";
import { reachableNative } from "@/bin/postgres/reachable";
import { createSchema } from "@/prisma/migrate";
import { withClient } from "@/server/db/connect";
import { ensureRoles, urlOf } from "@/server/db/roles";

const SETTINGS = {
  fsync: "on",
  synchronous_commit: "on",
  full_page_writes: "on",
  wal_level: "replica",
  max_connections: "300",
  shared_buffers: "256MB",
  // A full disk must affect the log too.
  min_wal_size: "32MB",
  max_wal_size: "512MB",
};

export type Urls = { readonly admin: string; readonly web: string; readonly runner: string; readonly customers: string };

export type Postgres = {
  readonly urls: Urls;
  /** `fast` ends sessions and flushes; `immediate` is a crash; `killed` is SIGKILL. */
  stop(how: "fast" | "immediate" | "killed"): Promise<void>;
  start(): Promise<void>;
  isUp(): boolean;
  said(): string;
};

const secret = (): string => randomBytes(16).toString("hex");

/** @param folder accessible to the Postgres user */
export const makePostgres = async (folder: string, logFile: string): Promise<Postgres> => {
  const identity = postgresIdentity();
  if (identity !== null) fs.chownSync(folder, identity.uid, identity.gid);
  const place = { dataDir: path.join(folder, "data"), native: reachableNative(nativeFolder(), identity), identity };
  const password = secret();
  await initCluster(place, password);
  const port = await freePort();
  let cluster: Cluster | null = null;
  const start = async (): Promise<void> => {
    const started = await startCluster(place, { ...SETTINGS, port: String(port) });
    started.process.stderr?.on("data", (chunk: Buffer) => fs.appendFileSync(logFile, chunk));
    started.process.once("exit", () => {
      if (cluster === started) cluster = null;
    });
    cluster = started;
  };
  const stop: Postgres["stop"] = async (how) => {
    const { process: server } = cluster ?? {};
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const ended = new Promise<void>((resolve) => server.once("exit", () => resolve()));
    if (how === "killed" && server.pid !== undefined) process.kill(-server.pid, "SIGKILL");
    else server.kill(how === "fast" ? "SIGINT" : "SIGQUIT");
    await ended;
  };
  fs.writeFileSync(logFile, "");
  await start();
  const root = `postgresql://countersign:${password}@127.0.0.1:${port}/postgres`;
  const passwords = { web: secret(), runner: secret(), customers: secret() };
  await ensureRoles(root, passwords);
  await withClient(root, async (client) => {
    await client.query("create database chaos");
  });
  const url = new URL(root);
  url.pathname = "/chaos";
  const admin = url.toString();
  await createSchema(admin);
  const by = (role: "web" | "runner" | "customers"): string => urlOf(admin, role, passwords);

  return {
    urls: { admin, web: by("web"), runner: by("runner"), customers: by("customers") },
    stop,
    start,
    isUp: () => cluster !== null,
    said: () => fs.readFileSync(logFile, "utf8"),
  };
};
