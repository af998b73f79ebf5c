import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { superviseCluster } from "../postgres/supervise.ts";
import type { DatabaseUrls } from "./database-file.ts";
import { prepareDatabase } from "./database.ts";
import { startEmbedded } from "./embedded.ts";
import { StartFailure, wordsOf } from "./failure.ts";
import { ensureHome } from "./home.ts";
import type { Lifecycle } from "./lifecycle.ts";
import { takeLock } from "./lock.ts";
import { checkPort } from "./port.ts";
import { say, step } from "./progress.ts";
import { ROOT, type Settings } from "./settings.ts";

const ensureClient = async (): Promise<void> => {
  const generated = path.join(ROOT, "server", "db", "generated", "client.ts");
  const schema = path.join(ROOT, "prisma", "schema.prisma");

  if (fs.existsSync(generated) && fs.statSync(generated).mtimeMs >= fs.statSync(schema).mtimeMs) return;
  await step("Generating the database client", async () => {
    const { status, stderr } = spawnSync(process.execPath, [path.join(ROOT, "bin", "generate.mjs")], { encoding: "utf8" });

    if (status !== 0) throw new StartFailure(`Generating the database client failed: ${wordsOf(stderr)}`);

    return { said: "Database client generated", value: undefined };
  });
};

const openDatabase = async ({ home, databaseUrl }: Settings, lifecycle: Lifecycle): Promise<string> => {
  if (databaseUrl !== null) return databaseUrl;

  return step("Starting Postgres", async () => {
    const { adminUrl, cluster, dataDir, made, restart } = await startEmbedded(home, lifecycle.signal, lifecycle.onStop);

    lifecycle.onStop(
      superviseCluster(cluster, {
        restart,
        onCrash: (how, pauseMs) => say(`  ! Postgres stopped (${how}). Restarting in ${pauseMs / 1000} s.`),
        onGivenUp: (how) => lifecycle.fail(new StartFailure(`Postgres keeps stopping (${how}). Its data is in ${dataDir}.`)),
      }),
    );

    return { said: `Postgres 18 ${made ? "created and started" : "started"}, data in ${dataDir}`, value: adminUrl };
  });
};

export type Prepared = { readonly adminUrl: string; readonly urls: DatabaseUrls };

/** Prepares everything, and locks the state folder. @throws StartFailure */
export const prepareInstallation = async (settings: Settings, lifecycle: Lifecycle): Promise<Prepared> => {
  const { home, host, port, url } = settings;
  const made = ensureHome(home);

  lifecycle.onStop(takeLock(home, url));
  await checkPort(host, port);
  say(`Starting Countersign; state folder: ${home}`);
  if (made.length > 0) say(`  ✓ Keys created: ${made.join(", ")}`);
  await ensureClient();
  const adminUrl = await openDatabase(settings, lifecycle);
  const { urls } = await step("Preparing the database", async () => {
    const ready = await prepareDatabase(home, adminUrl);

    return { said: ready.applied.length === 0 ? null : `Database migrated: ${ready.applied.join(", ")}`, value: ready };
  });

  return { adminUrl, urls };
};
