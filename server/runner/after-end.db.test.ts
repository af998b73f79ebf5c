import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { CommandBody } from "@/lib/engine/proposal";
import type { Json } from "@/lib/json";
import { testInstallation } from "@/server/mcp/testing/installation";
import { recordsOf } from "@/server/outside/testing/records";
import { command, openDesk, query, startRun, type Desk } from "@/server/runner/testing/desk";
import { forkRun } from "@/server/runner/testing/fork";
import { ask, decisionFor, drive, readRun } from "@/server/runner/testing/run";
import { recordRows } from "@/server/testing/authority";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;
let run: string;
let approve: CommandBody;
beforeAll(async () => {
  desk = await openDesk(urls, installation);
  run = await startRun(desk, "honest", "02-outage-credit.txt");
  await drive(desk, run);
  approve = decisionFor(desk, (await readRun(desk, run)).state, "approve");
  await ask(desk, run, desk.people.reviewer, approve);
}, 120_000);
afterAll(() => desk.mcp.close());

const cancel = { kind: "cancel" } as const;
const open = { kind: "open_cell", seq: 0, index: 0, purpose: "audit", reason: "Looking" } as const;

it("refusals do not extend the ledger of an ended run", async () => {
  const { state, records } = await readRun(desk, run);
  expect(state.status).toBe("completed");
  const own = (await recordsOf(desk)).length;
  const answers = [];
  for (const body of [approve, cancel, open]) answers.push(await ask(desk, run, desk.people.reviewer, body));

  answers.push((await forkRun(desk, run, 999, { type: "none" }, { by: desk.people.reviewer })).outcome);

  expect(answers.map(({ seq, refusal }) => [seq, refusal?.code])).toEqual([
    [-1, "run_finished"],
    [-1, "run_finished"],
    [-1, "opening_denied"],
    [-1, "principal_not_allowed"],
  ]);
  expect((await readRun(desk, run)).records).toEqual(records);
  const recorded = (await recordsOf(desk)).slice(own);
  expect(recorded.map(({ kind, proposal_kind: asked, refusal }) => [kind, asked, refusal?.code, refusal?.ids])).toEqual([
    ["refusal", "decision", "run_finished", [run]],
    ["refusal", "cancel", "run_finished", [run]],
    ["refusal", "open_cell", "opening_denied", [run]],
    ["refusal", "fork", "principal_not_allowed", [run]],
  ]);
  for (const { principal } of recorded) expect(principal).toMatchObject({ type: "user", id: desk.people.reviewer, role: "reviewer" });
});

it("records twenty of one person per minute and answers all", async () => {
  const own = (await recordsOf(desk)).length;
  const asked = await Promise.all(Array.from({ length: 30 }, () => command(desk, run, desk.people.second, cancel)));
  await drive(desk, run);
  const answered = await query<{ status: string; code: string }>(
    urls.admin,
    "select status, outcome->'refusal'->>'code' as code from command where id = any($1)",
    [asked],
  );

  expect(answered).toEqual(asked.map(() => ({ status: "refused", code: "run_finished" })));
  expect(await recordsOf(desk)).toHaveLength(own + 20);
});

it("records proposals accepted after the end as before", async () => {
  const { records } = await readRun(desk, run);
  await query(urls.admin, "update membership set auditor = true where user_id = $1", [desk.people.viewer]);
  await recordRows(desk.deps, desk.workspace);

  expect(await ask(desk, run, desk.people.viewer, open)).toMatchObject({ seq: records.length, refusal: null });
  expect((await readRun(desk, run)).records).toHaveLength(records.length + 1);
});

it("a refused start makes no run, is on record with its code, and the same id can start afterwards", async () => {
  const refused = randomUUID();
  const start = (mail: Json): CommandBody => ({
    kind: "start",
    graph_hash: desk.graphHash,
    goal: "Handle the mail",
    constraints: [],
    inputs: { mail_file: mail },
    model: "scripted:honest",
  });
  const own = (await recordsOf(desk)).length;

  expect(await ask(desk, refused, desk.people.starter, start(7))).toMatchObject({
    seq: -1,
    refusal: { code: "inputs_invalid" },
  });
  expect(await query(urls.admin, "select id from run where id = $1", [refused])).toEqual([]);
  expect((await recordsOf(desk)).slice(own).map(({ proposal_kind: asked, refusal }) => [asked, refusal])).toEqual([
    ["start", { code: "inputs_invalid", ids: [refused], legal: [] }],
  ]);
  expect(await ask(desk, refused, desk.people.starter, start("01-upgrade.txt"))).toMatchObject({ seq: 0 });
});
