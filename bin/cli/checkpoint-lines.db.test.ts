import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { parseCheckpointLines } from "@/lib/engine/ledger/checkpoint-lines";
import { systemClock } from "@/server/clock";
import { log } from "@/server/log";
import { testInstallation } from "@/server/mcp/testing/installation";
import { asAdmin } from "@/server/mcp/testing/registered";
import { exportCheckpoints, startCheckpointExport } from "@/server/notify/checkpoint-export";
import { takeCheckpoint } from "@/server/runner/checkpoint";
import { openDesk, startRun, type Desk } from "@/server/runner/testing/desk";
import { drive } from "@/server/runner/testing/run";
import { createMemoryJournal } from "@/server/security/journal/journal";
import { testDatabase } from "@/server/testing/database";
import { countersign } from "./testing.ts";

vi.setConfig({ testTimeout: 60_000 });

const urls = await testDatabase("runner");
const installation = await testInstallation();
const { home } = installation;
const folder = path.join(home, "kept");
let desk: Desk;
let file: string;

const goOn = async (on = desk): Promise<void> => {
  await drive(on, await startRun(on, "honest", "01-upgrade.txt"));
  await takeCheckpoint(on.deps, on.workspace);
};
const keep = () => exportCheckpoints(folder, desk.workspace);
const linesOf = (name = file) => parseCheckpointLines(fs.readFileSync(name, "utf8"));
const verify = async (...args: string[]): Promise<Record<string, unknown>> => {
  const { code, stdout } = await countersign(["verify", ...args], { COUNTERSIGN_HOME: home });

  return { code, ...(JSON.parse(stdout) as object) };
};
/** Acts as an attacker with full database access. */
const unguarded = async (sql: string): Promise<void> => {
  for (const table of ["checkpoint", "log_leaf", "ledger_record"]) await asAdmin(urls.admin, `alter table ${table} disable trigger user`);
  await asAdmin(urls.admin, sql);
};

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  fs.mkdirSync(path.join(home, "keys"), { recursive: true, mode: 0o700 });
  fs.writeFileSync(path.join(home, "keys", "signing.key"), desk.keys.pem, { mode: 0o600 });
  fs.writeFileSync(path.join(home, "keys", "vault.key"), desk.keys.vault, { mode: 0o600 });
  fs.writeFileSync(path.join(home, "database.json"), JSON.stringify(urls), { mode: 0o600 });
  fs.mkdirSync(folder);
  file = path.join(folder, `${desk.workspace}.jsonl`);
}, 120_000);
afterAll(() => desk.mcp.close());

test("stores each checkpoint once in an owner-only file, as a chain that verifies offline", async () => {
  await goOn();
  expect(await keep()).toBe(1);
  await goOn();
  await goOn();
  const added = await Promise.all([keep(), keep(), keep()]);
  expect(added.toSorted((a, b) => a - b)).toEqual([0, 0, 2]);
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  expect(linesOf()).toMatchObject({ torn: 0, files: [{}, {}, {}] });
  expect(await verify(file)).toMatchObject({ code: 0, ok: true, lines: 3, torn_lines: 0 });
  expect(await verify("--checkpoint", file)).toMatchObject({ code: 0, ok: true });

  const cut = path.join(home, `${randomUUID()}.jsonl`);
  const [first, , third] = fs.readFileSync(file, "utf8").split("\n");
  fs.writeFileSync(cut, `${first}\n${third}\n`);
  expect(await verify(cut)).toMatchObject({ code: 1, ok: false, reason: "not_linked", line: 2 });
});

test("starts a new line after a torn one, and the chain still verifies", async () => {
  const before = fs.readFileSync(file, "utf8");
  fs.appendFileSync(file, before.slice(0, 100));
  await goOn();
  expect(await keep()).toBe(1);
  expect(fs.readFileSync(file, "utf8").startsWith(`${before}${before.slice(0, 100)}\n`)).toBe(true);
  expect(await verify(file)).toMatchObject({ code: 0, ok: true, lines: 4, torn_lines: 1 });
  expect(await keep()).toBe(0);
});

test("reports a missing folder once without creating it, and stores pending checkpoints once it exists", async () => {
  const late = path.join(home, "late");
  const said = vi.spyOn(log(), "error");
  const codes = () =>
    said.mock.calls.flatMap(([at]) =>
      Reflect.get(Object(at), "workspace") === desk.workspace ? [String(Reflect.get(Object(at), "code"))] : [],
    );
  const running = startCheckpointExport(late, 10);
  try {
    await vi.waitFor(() => expect(codes()).toContain("ENOENT"));
    fs.writeFileSync(late, "");
    await vi.waitFor(() => expect(codes()).toContain("ENOTDIR"));
    fs.rmSync(late);
    fs.mkdirSync(late);
    await vi.waitFor(() => expect(fs.readdirSync(late)).toEqual([`${desk.workspace}.jsonl`]));
    expect(codes().filter((code, at) => code === codes()[at - 1])).toEqual([]);
  } finally {
    await running.close();
    said.mockRestore();
  }
});

test("appends nothing once the database log differs from the kept file, and reports the difference", async () => {
  const before = fs.readFileSync(file, "utf8");
  await unguarded("delete from checkpoint where count = (select max(count) from checkpoint)");
  await expect(keep()).rejects.toThrow("log_rewritten");
  const cut = "index >= (select max(count) from checkpoint)";
  await unguarded(`delete from ledger_record where run_id in (select run_id from log_leaf where ${cut})`);
  await unguarded(`delete from log_leaf where ${cut}`);
  // The old journal would refuse to sign.
  await goOn({ ...desk, deps: { ...desk.deps, journal: createMemoryJournal(systemClock) } });
  await expect(keep()).rejects.toThrow("log_rewritten");
  expect(fs.readFileSync(file, "utf8")).toBe(before);
  expect(await verify(file)).toMatchObject({ code: 0, ok: true });
  expect(await verify("--checkpoint", file)).toMatchObject({ code: 1, ok: false });
});
