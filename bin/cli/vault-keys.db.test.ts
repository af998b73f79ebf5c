import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { testInstallation } from "@/server/mcp/testing/installation";
import { asAdmin } from "@/server/mcp/testing/registered";
import { openDesk, startRun, type Desk } from "@/server/runner/testing/desk";
import { drive } from "@/server/runner/testing/run";
import { startRotations } from "@/server/runner/rotation";
import { loadVault } from "@/server/security/vault";
import { beat } from "@/server/store/health";
import { queryOn } from "@/server/testing/connections";
import { testDatabase } from "@/server/testing/database";
import { countersign, fileIn, type Ended } from "./testing.ts";

vi.setConfig({ testTimeout: 60_000 });

const urls = await testDatabase("runner");
const installation = await testInstallation();
const { home } = installation;
const keyFile = path.join(home, "keys", "vault.key");
let desk: Desk;
let run: string;

const call = (...args: string[]): Promise<Ended> => countersign(args, { COUNTERSIGN_HOME: home });
const versions = (): string[] =>
  fs
    .readFileSync(keyFile, "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split(" ")[0] ?? "");
const connections = async (): Promise<number> => {
  const [row] = await queryOn<{ count: number }>(
    urls.admin,
    "select count(*)::int as count from pg_stat_activity where datname = current_database()",
  );

  return row?.count ?? 0;
};
/** Checks that every value opens with the current keys. */
const isWhole = async (): Promise<void> => {
  const { stdout } = await call("export", run);
  const { stdout: verified } = await call("verify", fileIn(home, "export.json", stdout));
  expect(JSON.parse(verified)).toMatchObject({ ok: true, cells_hidden: 0, cells_shredded: 0 });
};

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  fs.mkdirSync(path.join(home, "keys"), { recursive: true, mode: 0o700 });
  fs.writeFileSync(path.join(home, "keys", "signing.key"), desk.keys.pem, { mode: 0o600 });
  fs.writeFileSync(keyFile, desk.keys.vault, { mode: 0o600 });
  fs.writeFileSync(path.join(home, "database.json"), JSON.stringify(urls), { mode: 0o600 });
  run = await startRun(desk, "honest", "01-upgrade.txt");
  await drive(desk, run);
}, 120_000);
afterAll(() => desk.mcp.close());

test("keeps the new key pending without a runner, and reuses it when called again", async () => {
  for (let time = 0; time < 2; time += 1) {
    const waiting = await call("keys", "rotate-vault");
    expect(waiting).toMatchObject({ code: 1, stdout: "" });
    expect(waiting.stderr).toContain("no runner is running");
    expect(versions()).toEqual(["1", "2"]);
  }
  expect(fs.statSync(keyFile).mode & 0o777).toBe(0o600);
  await isWhole();
});

test("does not remove an old key while values are sealed with it", async () => {
  const refused = await call("keys", "remove-old-vault");
  expect(refused).toMatchObject({ code: 1, stdout: "" });
  expect(refused.stderr).toContain("still use an older key");
  expect(versions()).toEqual(["1", "2"]);
});

test("rewraps everything with a runner, reports percent, and then allows removing the old key", async () => {
  await beat("test");
  const before = await connections();
  const asked = call("keys", "rotate-vault");
  // Rewrapping could end before the command looks, which would begin another rotation.
  await expect.poll(connections, { timeout: 20_000 }).toBeGreaterThan(before);
  const rotations = startRotations({ vault: loadVault(home) });
  const rotated = await asked;
  expect(rotated.code).toBe(0);
  expect(rotated.stderr).toContain("countersign: 100 % of the values use key version 2");
  expect(JSON.parse(rotated.stdout)).toMatchObject({ version: 2, unreadable: 0, old_versions: [1] });
  expect(JSON.parse((await call("keys", "remove-old-vault")).stdout)).toEqual({ version: 2, removed: [1] });
  expect(versions()).toEqual(["2"]);
  await isWhole();

  await asAdmin(urls.admin, "update runner_heartbeat set at = now()");
  expect(JSON.parse((await call("keys", "rotate-vault")).stdout)).toMatchObject({ version: 3, old_versions: [2] });
  await rotations.close();
  await isWhole();
});

test("makes one new key for two concurrent calls", async () => {
  await asAdmin(urls.admin, "update runner_heartbeat set at = now() - interval '1 hour'");
  const [one, two] = await Promise.all([call("keys", "rotate-vault"), call("keys", "rotate-vault")]);
  expect([one.code, two.code]).toEqual([1, 1]);
  expect(versions()).toEqual(["2", "3", "4"]);
});
