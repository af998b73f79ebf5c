import { appendFile, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "@/server/clock";
import { testInstallation } from "@/server/mcp/testing/installation";
import { asAdmin } from "@/server/mcp/testing/registered";
import { exportCheckpoints } from "@/server/notify/checkpoint-export";
import { takeCheckpoint } from "@/server/runner/checkpoint";
import { learnKeptCheckpoints } from "@/server/runner/saved-checkpoints";
import { openDesk, startRun, type Desk } from "@/server/runner/testing/desk";
import { frozenOf, noting, rollBack } from "@/server/runner/testing/rolled-back";
import { ask, decisionFor, drive, readRun } from "@/server/runner/testing/run";
import { createMemoryJournal, openJournal } from "@/server/security/journal/journal";
import { leaveNotice } from "@/server/security/journal/notice";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");
const installation = await testInstallation();
const folder = path.join(installation.home, "kept");
let desk: Desk;
let file: string;

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  await mkdir(folder);
  file = path.join(folder, `${desk.workspace}.jsonl`);
}, 120_000);
afterAll(() => desk.mcp.close());

const kept = async () => {
  const run = await startRun(desk, "honest", "02-outage-credit.txt");
  await drive(desk, run);
  const { state, records } = await readRun(desk, run);
  expect(await ask(desk, run, desk.people.reviewer, decisionFor(desk, state, "approve"))).toMatchObject({ refusal: null });
  await takeCheckpoint(desk.deps, desk.workspace);
  await exportCheckpoints(folder, desk.workspace);
  const all = (await readRun(desk, run)).records.length;

  return { run, approved: records.length + 1, all };
};

const fresh = () => createMemoryJournal(systemClock);
const learn = async (journal = fresh(), from = folder) => {
  await learnKeptCheckpoints(from, { journal, publicKeys: desk.deps.publicKeys });

  return journal;
};
const undoing = async (work: () => Promise<void>) => {
  const tables = ["ledger_record", "log_leaf", "checkpoint", "run", "cell", "trust_event"];
  const change = (sql: (table: string) => string) =>
    asAdmin(urls.admin, `begin; set local session_replication_role = replica; ${tables.map(sql).join("\n")} commit`);
  await change((table) => `create table kept_${table} as table ${table};`);
  try {
    await work();
  } finally {
    await change((table) => `delete from ${table}; insert into ${table} select * from kept_${table}; drop table kept_${table};`);
  }
};

describe("a new journal", () => {
  it("learns each ledger's and the log's position, so later rollbacks are detected", async () => {
    const { run, approved, all } = await kept();
    const journal = await learn();
    expect(await journal.headOf(run)).toMatchObject({ version: all });
    await undoing(async () => {
      await rollBack(desk, run, { to: approved });
      const { desk: on, calls } = noting({ ...desk, deps: { ...desk.deps, journal } });
      await drive(on, run);
      expect(await frozenOf(on, run)).toBe(`head_rolled_back at record ${approved}`);
      expect(calls).toEqual([]);
    });
  });

  it("refuses a database whose log was set back, with or without its checkpoints", async () => {
    const { run, approved } = await kept();
    for (const isWhole of [false, true]) {
      await undoing(async () => {
        await rollBack(desk, run, { to: approved });
        if (isWhole) await asAdmin(urls.admin, "begin; set local session_replication_role = replica; delete from checkpoint; commit");
        await expect(learn()).rejects.toMatchObject({ code: "kept_ahead" });
      });
    }
    await learn();
  });

  it("refuses a log of the same length with another leaf", async () => {
    const { run } = await kept();
    await undoing(async () => {
      await asAdmin(
        urls.admin,
        `begin; set local session_replication_role = replica;
         update log_leaf set digest = repeat('a', 64) where run_id = '${run}' and seq = 0; commit`,
      );
      await expect(learn()).rejects.toMatchObject({ code: "kept_ahead" });
    });
  });

  it("signs a log that extends the kept one", async () => {
    await kept();
    const journal = await learn();
    await drive(desk, await startRun(desk, "honest", "01-upgrade.txt"));
    const { checkpoint } = await takeCheckpoint({ ...desk.deps, journal }, desk.workspace);
    expect(await journal.checkpointOf(desk.workspace)).toMatchObject({ count: checkpoint.count });
  });
});

it("an older journal learns what others kept since", async () => {
  await kept();
  const journal = await learn();
  const { run, all } = await kept();
  expect(await journal.headOf(run)).toBeNull();
  await learn(journal);
  expect(await journal.headOf(run)).toMatchObject({ version: all });
});

describe("a saved checkpoint", () => {
  let text: string;
  beforeEach(async () => {
    text = await readFile(file, "utf8");

    return () => writeFile(file, text);
  });

  it.each([
    ["is no checkpoint", () => appendFile(file, '{"format":"else"}\n')],
    ["has an invalid signature", () => writeFile(file, text.replaceAll(/"signature":"[^"]{10}/gu, '"signature":"AAAAAAAAAA'))],
    ["is signed by another key", () => writeFile(file, text.replaceAll(/"kid":"[^"]{10}/gu, '"kid":"AAAAAAAAAA'))],
  ])("that %s is not ignored", async (_what, damage) => {
    await damage();
    await expect(learn()).rejects.toMatchObject({ code: "kept_unreadable" });
  });

  it("in a missing folder is not ignored by an empty journal", async () => {
    const away = `${folder}-away`;
    await rename(folder, away);
    await expect(learn()).rejects.toMatchObject({ code: "kept_unreadable" });
    expect(desk.deps.journal.isEmpty).toBe(true);
    await desk.deps.journal.settle();
    const known = await openJournal(installation.home, systemClock);
    await learn(known);
    await known.close();
    await rename(away, folder);
  });

  it("does not hold back a runner whose operator declared a restore", async () => {
    const { run, approved } = await kept();
    text = await readFile(file, "utf8");
    await undoing(async () => {
      await rollBack(desk, run, { to: approved });
      const home = path.join(installation.home, "other");
      await mkdir(home);
      leaveNotice([home], "restored");
      const journal = await openJournal(home, systemClock);
      await learn(journal);
      expect(await journal.checkpointOf(desk.workspace)).toBeNull();
      await journal.close();
      await rm(home, { recursive: true });
    });
  });
});
