/** The start: each step once, in order, and everything that was started stopped again in reverse. */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { buildWeb, bundleServers } from "./build.ts";
import { prepareDatabase } from "./database.ts";
import { superviseCluster } from "../postgres/supervise.ts";
import { startEmbedded } from "./embedded.ts";
import { StartFailure, wordsOf } from "./failure.ts";
import { ensureHome } from "./home.ts";
import { takeLock } from "./lock.ts";
import { checkPort } from "./port.ts";
import { isHealthy, startProcesses } from "./processes.ts";
import { say, step } from "./progress.ts";
import { holdAfterRestore } from "./restored.ts";
import { makeSetupLink } from "./setup-link.ts";
import { readSettings, ROOT, type Settings } from "./settings.ts";
import { isTerminal, writeErr } from "../terminal.mjs";

const healthTimeoutMs = 90_000;

/** What undoes each thing that was started, in the order of starting. */
const undo: (() => Promise<void> | void)[] = [];
const aborted = new AbortController();
let stopping: Promise<never> | null = null;

const stop = (exitCode: number): Promise<never> => {
  stopping ??= (async () => {
    aborted.abort();
    for (const stopOne of undo.toReversed()) await stopOne();

    return process.exit(exitCode);
  })();

  return stopping;
};

const fail = (error: unknown): Promise<never> | null => {
  // What breaks while we stop breaks because we stop.
  if (stopping !== null) return null;
  writeErr(
    error instanceof StartFailure
      ? `Countersign cannot start: ${error.message}\n`
      : `Countersign cannot start, for a reason nobody foresaw: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );

  return stop(1);
};

const onSignal = (): void => {
  if (stopping !== null) return;
  say("\n  Stopping …");
  void stop(0);
};

const ensureClient = async (): Promise<void> => {
  const generated = path.join(ROOT, "server", "db", "generated", "client.ts");
  const schema = path.join(ROOT, "prisma", "schema.prisma");

  if (fs.existsSync(generated) && fs.statSync(generated).mtimeMs >= fs.statSync(schema).mtimeMs) return;
  await step("Generating the database client", async () => {
    const { status, stderr } = spawnSync(process.execPath, [path.join(ROOT, "bin", "generate.mjs")], { encoding: "utf8" });

    if (status !== 0) throw new StartFailure(`The database client could not be generated: ${wordsOf(stderr)}`);

    return { said: "Database client generated", value: undefined };
  });
};

const adminUrlOf = async ({ home, databaseUrl }: Settings): Promise<string> => {
  if (databaseUrl !== null) return databaseUrl;

  return step("Starting Postgres", async () => {
    const { adminUrl, cluster, dataDir, made, restart } = await startEmbedded(home, aborted.signal, (stopPostgres) =>
      undo.push(stopPostgres),
    );

    undo.push(
      superviseCluster(cluster, {
        restart,
        onCrash: (how, pauseMs) => say(`  ! Postgres is not running (${how}); starting it again in ${pauseMs / 1000} s.`),
        onGivenUp: (how) =>
          void fail(new StartFailure(`Postgres does not stay up (${how}); its data is in ${dataDir}. Everything else is stopped too.`)),
      }),
    );

    return { said: `Postgres 18 ${made ? "created and started" : "started"}, data in ${dataDir}`, value: adminUrl };
  });
};

/** @throws StartFailure for anything that is not known */
const wasRestored = (): boolean => {
  const given = process.argv.slice(2);
  const unknown = given.find((argument) => argument !== "--restored");

  if (unknown !== undefined) throw new StartFailure(`"${unknown}" is not known: the only option is --restored.`);

  return given.length > 0;
};

const start = async (): Promise<void> => {
  const restored = wasRestored();
  const settings = readSettings();
  const { home, host, port, url } = settings;
  const startedMs = Date.now();

  const made = ensureHome(home);

  undo.push(takeLock(home, url));
  await checkPort(host, port);
  say(`Countersign starts; its state is in ${home}`);
  if (made.length > 0) say(`  ✓ Keys made: ${made.join(", ")}`);
  await ensureClient();
  const adminUrl = await adminUrlOf(settings);
  const { urls } = await step("Preparing the database", async () => {
    const ready = await prepareDatabase(home, adminUrl);

    return { said: ready.applied.length === 0 ? null : `Database migrated: ${ready.applied.join(", ")}`, value: ready };
  });

  if (restored) await holdAfterRestore(adminUrl, [home]);
  await step("Building the runner", async () => ({ said: (await bundleServers(ROOT, home)) ? "Runner built" : null, value: undefined }));
  if (!isTerminal()) say("  Building the web application when it is not up to date …");
  await step("Building the web application (about a minute)", async () => ({
    said: (await buildWeb(ROOT, home, aborted.signal)) ? "Web application built" : null,
    value: undefined,
  }));
  // Before anything answers, so that whoever sees a healthy product also finds the link.
  const link = await makeSetupLink(home, adminUrl, url);
  const children = startProcesses(settings, urls, (sentence) => void fail(new StartFailure(sentence)));

  undo.push(async () => {
    await Promise.all(children.map((child) => child.stop()));
  });
  await step("Starting web and runner", async () => {
    if (!(await isHealthy(settings, healthTimeoutMs, aborted.signal))) {
      throw new StartFailure(
        `Web and runner did not become healthy within ${healthTimeoutMs / 1000} s; their logs are in ${path.join(home, "log")}.`,
      );
    }

    return { said: "Web and runner started", value: undefined };
  });
  say(`\n  Countersign runs at ${url} (ready after ${((Date.now() - startedMs) / 1000).toFixed(1)} s; Ctrl-C stops it)`);
  if (link !== null) say(`  First start: open ${link}\n  to make the first admin. The link works once, for 30 minutes.`);
};

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, onSignal);
// Set when an older Node started us: it holds the other end, and must not leave us behind.
process.once("disconnect", onSignal);

// npm puts a shell between itself and us, and a signal that reaches only npm ends that shell without telling us.
if (process.env["npm_lifecycle_event"] === "start") {
  const parent = process.ppid;

  setInterval(() => {
    if (process.ppid !== parent) onSignal();
  }, 500).unref();
}

await start().catch(fail);
