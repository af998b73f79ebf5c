import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { testInstallation } from "@/server/mcp/testing/installation";
import { driveRun } from "@/server/runner/drive";
import { openDesk, startRun, type Desk } from "@/server/runner/testing/desk";
import { sendOwn } from "@/server/runner/testing/passkeys";
import { readRun } from "@/server/runner/testing/run";
import { testDatabase } from "@/server/testing/database";
import { countersign } from "./testing.ts";

vi.setConfig({ testTimeout: 60_000 });

const urls = await testDatabase("runner");
const installation = await testInstallation();
const { home } = installation;
let desk: Desk;

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  fs.mkdirSync(path.join(home, "keys"), { recursive: true, mode: 0o700 });
  fs.writeFileSync(path.join(home, "keys", "signing.key"), desk.keys.pem, { mode: 0o600 });
  fs.writeFileSync(path.join(home, "keys", "vault.key"), desk.keys.vault, { mode: 0o600 });
  fs.writeFileSync(path.join(home, "database.json"), JSON.stringify(urls), { mode: 0o600 });
}, 120_000);
afterAll(() => desk.mcp.close());

const cli = (...args: string[]) => countersign(args, { COUNTERSIGN_HOME: home });
const drive = (run: string) => driveRun(desk.deps, { onWake: () => () => undefined }, desk.workspace, run);

test("the operator stops and resumes all work; an admin's switch is another one", async () => {
  const run = await startRun(desk, "honest", "02-outage-credit.txt");
  const stopped = await cli("stop");
  expect([stopped.code, JSON.parse(stopped.stdout)]).toEqual([
    0,
    { workspace: desk.workspace, stopped_by_operator: true, stopped_by_admin: false },
  ]);
  expect(await drive(run)).toBe("stopped");
  const { state } = await readRun(desk, run);
  expect([state.status, Object.keys(state.effects)]).toEqual(["running", []]);
  await sendOwn(desk, { kind: "work_stop" }, desk.people.admin);
  const resumed = await cli("resume", "--workspace", desk.workspace);
  expect([resumed.code, JSON.parse(resumed.stdout)]).toEqual([
    0,
    { workspace: desk.workspace, stopped_by_operator: false, stopped_by_admin: true },
  ]);
  expect(await drive(run)).toBe("stopped");
  await sendOwn(desk, { kind: "work_resume" }, desk.people.admin);
  expect(await drive(run)).toBe("waiting");
});

test("refuses a workspace that does not exist", async () => {
  const { code, stderr } = await cli("stop", "--workspace", "00000000-0000-4000-8000-000000000009");
  expect([code, stderr]).toEqual([1, expect.stringContaining("00000000-0000-4000-8000-000000000009")]);
});
