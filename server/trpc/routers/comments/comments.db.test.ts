import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Role } from "@/lib/roles";
import { useDatabase } from "@/server/db/client";
import { closeRunBus } from "@/server/live/run-bus";
import { testInstallation } from "@/server/mcp/testing/installation";
import { openDesk, startRun, type Desk } from "@/server/runner/testing/desk";
import { ask, drive, openGateOf, readRun } from "@/server/runner/testing/run";
import { callerAs } from "@/server/testing/caller";
import { queryOn } from "@/server/testing/connections";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");
const installation = await testInstallation();
vi.stubEnv("COUNTERSIGN_HOME", installation.home);

let desk: Desk;
let runId: string;
let approvalId: string;

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  await mkdir(path.join(installation.home, "keys"), { recursive: true });
  await writeFile(path.join(installation.home, "keys", "vault.key"), desk.keys.vault, { mode: 0o600 });
  runId = await startRun(desk, "honest", "02-outage-credit.txt");
  await drive(desk, runId);
  approvalId = openGateOf((await readRun(desk, runId)).state).gate.id;
  const { starter, reviewer } = desk.people;
  await ask(desk, runId, starter, { kind: "comment", text: "Whose run is this?", mentions: [reviewer] });
  await ask(desk, runId, starter, { kind: "comment", approval_id: approvalId, text: "Too much?", mentions: [reviewer] });
  await useDatabase(urls.web);
}, 120_000);
afterAll(async () => {
  closeRunBus();
  await desk.mcp.close();
});

const as = (id: string, role: Role = "reviewer") => callerAs(desk.workspace, role, { id }).comments;

test("a run's comments are apart from its requests' comments, with their authors' names", async () => {
  const { comments, people } = await as(desk.people.viewer, "viewer").ofRun({ runId });
  expect(comments).toMatchObject([{ user: desk.people.starter, text: "Whose run is this?" }]);
  expect(Object.keys(people)).toEqual([desk.people.starter]);
});

test("unread mentions are one's own, and are read place by place", async () => {
  const { reviewer, second } = desk.people;
  const places = async () => (await as(reviewer).unread()).mentions.map((mention) => mention.approvalId);
  expect(await places()).toEqual(expect.arrayContaining([approvalId, null]));
  expect((await as(second).unread()).mentions).toEqual([]);
  await as(second).markRead({ runId, approvalId: null });
  expect(await places()).toHaveLength(2);
  await as(reviewer).markRead({ runId, approvalId: null });
  expect(await places()).toEqual([approvalId]);
  await as(reviewer).markRead({ runId, approvalId });
  expect(await places()).toEqual([]);
});

test("people to mention are the enabled members, without oneself, and viewers mention no one", async () => {
  const { people } = await as(desk.people.reviewer).people();
  expect(people.map(({ id }) => id)).toContain(desk.people.second);
  expect(people.map(({ id }) => id)).not.toContain(desk.people.reviewer);
  await expect(as(desk.people.viewer, "viewer").people()).rejects.toMatchObject({ cause: { code: "forbidden" } });
});

test("the web process mentions no one itself", async () => {
  await expect(
    queryOn(
      urls.web,
      "insert into mention (workspace_id, id, run_id, seq, user_id, by_id, created_at) values ($1, $1, $1, 0, $1, $1, now())",
      [desk.workspace],
    ),
  ).rejects.toThrow(/permission denied/u);
});
