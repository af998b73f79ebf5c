import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "@/server/clock";
import type { McpCall } from "@/server/mcp/contract";
import { testInstallation } from "@/server/mcp/testing/installation";
import { asAdmin } from "@/server/mcp/testing/registered";
import { takeCheckpoint } from "@/server/runner/checkpoint";
import { openDesk, type Desk } from "@/server/runner/testing/desk";
import { changeOnce, countNoticed, elsewhereOf, frozenOf, noting, rollBack, writesIn } from "@/server/runner/testing/rolled-back";
import { drive } from "@/server/runner/testing/run";
import { createMemoryJournal } from "@/server/security/journal/journal";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");
const installation = await testInstallation();
let whole: Desk;
let desk: Desk;
let calls: McpCall[];

beforeAll(async () => {
  whole = await openDesk(urls, installation);
}, 120_000);
beforeEach(() => ({ desk, calls } = noting(whole)));
afterAll(() => whole.mcp.close());

const done = (on: Desk = desk) => changeOnce(on, calls);
const elsewhere = (): Desk => elsewhereOf(desk);

describe("the log of a workspace", () => {
  it("shorter than or different from a checkpoint signed here is not signed", async () => {
    await done();
    const older = await takeCheckpoint(desk.deps, desk.workspace);
    const { run: later } = await done();
    await takeCheckpoint(desk.deps, desk.workspace);
    const before = await countNoticed("checkpoint");
    const { count } = older.checkpoint;
    await asAdmin(
      urls.admin,
      `begin; set local session_replication_role = replica; delete from log_leaf where workspace_id = '${desk.workspace}' and index >= ${count};
       delete from checkpoint where workspace_id = '${desk.workspace}' and count > ${count}; commit`,
    );
    await expect(takeCheckpoint(desk.deps, desk.workspace)).rejects.toMatchObject({ code: "checkpoint_rolled_back" });
    await asAdmin(
      urls.admin,
      `begin; set local session_replication_role = replica; delete from ledger_record where run_id = '${later}' and seq > 0; commit`,
    );
    const other = elsewhere();
    await done(other);
    await done(other);
    await takeCheckpoint(other.deps, desk.workspace);
    await expect(takeCheckpoint(desk.deps, desk.workspace)).rejects.toMatchObject({ code: "checkpoint_rolled_back" });
    expect(await countNoticed("checkpoint")).toBe(before + 2);
  }, 60_000);

  it("extended by another runner is accepted", async () => {
    const { workspace } = desk;
    const other = elsewhere();
    const journal = createMemoryJournal(systemClock);
    const mine = { ...desk.deps, journal };
    const first = await takeCheckpoint(mine, workspace);
    await done();
    const second = await takeCheckpoint(other.deps, workspace);
    await done();
    const third = await takeCheckpoint(mine, workspace);
    expect([first, second, third].map(({ checkpoint }) => checkpoint.count).toSorted((a, b) => a - b)).toEqual(
      [first, second, third].map(({ checkpoint }) => checkpoint.count),
    );
    expect(await journal.checkpointOf(workspace)).toMatchObject({ count: third.checkpoint.count, root: third.checkpoint.root });
  });

  it("is signed although records keep coming", async () => {
    const deps = { ...desk.deps, journal: createMemoryJournal(systemClock) };
    await takeCheckpoint(deps, desk.workspace);
    const { run } = await done();
    await asAdmin(
      urls.admin,
      `create table late as select * from ledger_record where run_id = '${run}' and seq >= 2;
       begin; set local session_replication_role = replica; delete from ledger_record where run_id = '${run}' and seq >= 2; commit;
       create function come() returns trigger language plpgsql security definer as $$ begin
         with one as (delete from late where seq = (select min(seq) from late) returning *) insert into ledger_record select * from one;
         return null; end $$;
       create trigger come after insert on log_leaf for each statement execute function come()`,
    );
    try {
      const first = await takeCheckpoint(deps, desk.workspace);
      const second = await takeCheckpoint(deps, desk.workspace);
      expect(second.checkpoint.count).toBe(first.checkpoint.count + 1);
    } finally {
      await asAdmin(
        urls.admin,
        "drop trigger come on log_leaf; insert into ledger_record select * from late; drop table late; drop function come",
      );
    }
  });

  it("shorter than a checkpoint seen here blocks runs that this runner never drove", async () => {
    const { run, approved, all } = await done();
    const other = elsewhere();
    await takeCheckpoint(other.deps, desk.workspace);
    const before = await countNoticed("checkpoint");
    await asAdmin(
      urls.admin,
      `begin; set local session_replication_role = replica; delete from checkpoint where workspace_id = '${desk.workspace}'; commit`,
    );
    await rollBack(desk, run, { to: approved });
    await drive(other, run);
    expect(await frozenOf(other, run)).toBe(`checkpoint_rolled_back at record ${approved}`);
    expect(await countNoticed("checkpoint")).toBe(before + 1);
    expect(writesIn(calls)).toHaveLength(1);
    expect(all).toBeGreaterThan(approved);
  });
});
