import { spawn } from "node:child_process";
import { generateKeyPairSync, randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { pickEnvironment } from "@/bin/testing";
import { testInstallation } from "@/server/mcp/testing/installation";
import { openDesk, query, startRun, type Desk } from "@/server/runner/testing/desk";
import { until } from "@/server/runner/testing/fleet";
import { drive } from "@/server/runner/testing/run";
import { testDatabase } from "@/server/testing/database";
import { ROOT } from "../start/settings.ts";

const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;

/** As another machine would have it. */
const stateFolder = (keys: Readonly<Record<string, string>>, mode = 0o600): string => {
  const home = fs.mkdtempSync(path.join(installation.home, "runner-"));
  fs.mkdirSync(path.join(home, "keys"), { recursive: true });
  for (const [name, text] of Object.entries(keys)) {
    fs.writeFileSync(path.join(home, "keys", name), text);
    fs.chmodSync(path.join(home, "keys", name), mode);
  }

  return home;
};

const own = () => ({ "signing.key": desk.keys.pem, "vault.key": desk.keys.vault });

const npmRunRunner = (home: string, url: string = urls.runner, settings: Readonly<Record<string, string>> = {}) => {
  const child = spawn(process.execPath, [path.join(ROOT, "bin", "runner.mjs")], {
    cwd: ROOT,
    env: {
      COUNTERSIGN_HOME: home,
      DATABASE_URL: url,
      COUNTERSIGN_CUSTOMERS_URL: urls.customers,
      LOG_LEVEL: "info",
      NODE_ENV: "test",
      ...pickEnvironment(["NODE_COMPILE_CACHE"]),
      ...settings,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let words = "";
  child.stdout.resume();
  child.stderr.on("data", (chunk: Buffer) => (words += chunk.toString("utf8")));
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await ended;
  });

  return { child, ended, words: () => words };
};

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  await drive(desk, await startRun(desk, "honest", "02-outage-credit.txt"));
}, 120_000);
afterAll(() => desk.mcp.close());

test("joins with the installation's keys and the runner's connection, says so, drives runs and exits with 0", async () => {
  const runner = npmRunRunner(stateFolder(own()));
  await until(
    "it says that it is ready",
    () => Promise.resolve(/The runner \S+ is ready and drives up to 64 runs/u.test(runner.words())),
    60_000,
  );
  const runId = await startRun(desk, "honest", "02-outage-credit.txt");
  await until(
    "it has taken up the run",
    async () => (await query(urls.admin, "select 1 from run where id = $1 and version > 3", [runId])).length > 0,
    30_000,
  );
  runner.child.kill("SIGTERM");
  expect(await runner.ended).toBe(0);
}, 120_000);

const otherPem = () => generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString();

test.each([
  [
    "a key is missing",
    () => ({ home: stateFolder({ "vault.key": desk.keys.vault }) }),
    /is not the state folder of a runner process \(missing: keys\/signing\.key\)/u,
  ],
  ["a key can be read by others", () => ({ home: stateFolder(own(), 0o644) }), /Other users can read .*vault\.key\. Run: chmod 600 /u],
  [
    "the connection is another role's",
    () => ({ home: stateFolder(own()), url: urls.web }),
    /must connect to the database as countersign_runner, not as/u,
  ],
  [
    "the signing key is another installation's",
    () => ({ home: stateFolder({ ...own(), "signing.key": otherPem() }) }),
    /keys\/signing\.key does not belong to this database/u,
  ],
  [
    "the vault key is another installation's",
    () => ({ home: stateFolder({ ...own(), "vault.key": randomBytes(32).toString("hex") }) }),
    /keys\/vault\.key does not belong to this database/u,
  ],
])(
  "%s: refuses in one sentence and registers nothing",
  async (_name, given, sentence) => {
    const before = await query(urls.admin, "select kid from key_hint");
    const { home, url } = { url: urls.runner, ...given() };
    const runner = npmRunRunner(home, url);
    expect(await runner.ended).toBe(1);
    expect(runner.words()).toMatch(sentence);
    expect(runner.words().trim().split("\n")).toHaveLength(1);
    expect(await query(urls.admin, "select kid from key_hint")).toEqual(before);
  },
  60_000,
);

test("does not start a new journal when the configured checkpoints cannot be read", async () => {
  const away = path.join(installation.home, "not-mounted");
  const runner = npmRunRunner(stateFolder(own()), urls.runner, { COUNTERSIGN_CHECKPOINT_DIR: away });
  expect(await runner.ended).toBe(1);
  expect(runner.words()).toMatch(/^The runner cannot start: the checkpoints in \S+not-mounted cannot be read .*\(kept_unreadable\)\n$/u);
}, 60_000);

test("refuses a database that is not migrated to this version and leaves it unchanged", async () => {
  const [newest] = await query<{ migration_name: string }>(
    urls.admin,
    `update _prisma_migrations set rolled_back_at = now()
     where migration_name = (select max(migration_name) from _prisma_migrations) returning migration_name`,
  );
  onTestFinished(async () => {
    await query(urls.admin, "update _prisma_migrations set rolled_back_at = null");
  });
  const runner = npmRunRunner(stateFolder(own()));
  expect(await runner.ended).toBe(1);
  expect(runner.words()).toContain(`The database is not migrated to this version (missing: ${newest?.migration_name ?? "nothing"})`);
  expect(await query(urls.admin, "select 1 from _prisma_migrations where rolled_back_at is not null")).toHaveLength(1);
}, 60_000);
