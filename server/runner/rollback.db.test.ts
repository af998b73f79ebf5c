import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { CommandBody } from "@/lib/engine/proposal";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { systemClock } from "@/server/clock";
import type { McpCall } from "@/server/mcp/contract";
import { testInstallation } from "@/server/mcp/testing/installation";
import { asAdmin } from "@/server/mcp/testing/registered";
import { recordAttempts } from "@/server/runner/attempts";
import { takeCheckpoint } from "@/server/runner/checkpoint";
import { bundleChild, leaseOver, runRunner } from "@/server/runner/testing/runner-process";
import { command, openDesk, startRun, type Desk } from "@/server/runner/testing/desk";
import {
  changeOnce,
  countNoticed,
  elsewhereOf,
  frozenOf,
  MAIL,
  noting,
  rollBack,
  writesIn,
  type Done,
} from "@/server/runner/testing/rolled-back";
import { awaitAnswer, ask, customersOf, decisionFor, drive, readRun } from "@/server/runner/testing/run";
import { openJournal } from "@/server/security/journal/journal";
import { getJournalFolder, leaveNotice } from "@/server/security/journal/notice";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");
const installation = await testInstallation();
let whole: Desk;
let desk: Desk;
let calls: McpCall[];

beforeAll(async () => {
  whole = await openDesk(urls, installation);
  await bundleChild(installation);
}, 120_000);
beforeEach(() => ({ desk, calls } = noting(whole)));
afterAll(() => whole.mcp.close());

const writes = (): readonly McpCall[] => writesIn(calls);

const restarted = async (isCrash = true): Promise<Desk> => {
  if (!isCrash) await desk.deps.journal.close();

  return { ...desk, deps: { ...desk.deps, journal: await openJournal(installation.home, systemClock) } };
};

const done = (on: Desk = desk): Promise<Done> => changeOnce(on, calls);
const elsewhere = (): Desk => elsewhereOf(desk);
const recordsOf = async (run: string): Promise<number> => (await readRun(desk, run)).records.length;

const drivenTo = async (on: Desk, run: string) => {
  const before = await countNoticed("head");
  await drive(on, run);

  return { frozen: await frozenOf(on, run), noticed: (await countNoticed("head")) - before, writes: writes().length };
};

const refusedAt = (record: number) => ({ frozen: `head_rolled_back at record ${record}`, noticed: 1, writes: 1 });

describe("a run set back to before its effect", () => {
  it("is frozen, and its approval pays once", async () => {
    const { run, approved } = await done();
    await rollBack(desk, run, { to: approved });
    expect(await drivenTo(desk, run)).toEqual(refusedAt(approved));
    expect(await ask(desk, run, desk.people.builder, { kind: "cancel" })).toMatchObject({ refusal: { code: "run_frozen" } });
  });

  it.each([
    ["after an orderly end", false],
    ["after a crash", true],
  ])("is frozen by a runner restarted %s", async (_how, isCrash) => {
    const { run, approved } = await done();
    await rollBack(desk, run, { to: approved });
    expect(await drivenTo(await restarted(isCrash), run)).toEqual(refusedAt(approved));
    whole = await restarted();
  });

  it("is frozen before its question, which is not asked again", async () => {
    const { run, asked } = await done();
    await rollBack(desk, run, { to: asked });
    const { state } = await readRun(desk, run);
    await asAdmin(urls.admin, "update approval set status = 'open' where run_id = $1", [run]);
    expect(await ask(desk, run, desk.people.reviewer, decisionFor(desk, state, "approve"))).toMatchObject({
      refusal: { code: "run_frozen" },
    });
    expect(await drivenTo(desk, run)).toEqual(refusedAt(asked));
  });

  it("is frozen when deleted and started again under its id", async () => {
    const { run } = await done();
    for (const table of ["cell", "ledger_record", "trust_event", "log_leaf", "approval"]) {
      await asAdmin(
        urls.admin,
        `begin; set local session_replication_role = replica; delete from ${table} where run_id = '${run}'; commit`,
      );
    }
    await asAdmin(urls.admin, `begin; set local session_replication_role = replica; delete from run where id = '${run}'; commit`);
    const body: CommandBody = {
      kind: "start",
      graph_hash: desk.graphHash,
      goal: "Handle the mail",
      constraints: [],
      inputs: { mail_file: MAIL },
      model: "scripted:honest",
    };
    await command(desk, run, desk.people.starter, body);
    expect(await drivenTo(desk, run)).toEqual(refusedAt(0));
  });

  it("is frozen when replaced by a longer, genuinely signed history", async () => {
    const { run, asked, all } = await done();
    await rollBack(desk, run, { to: asked });
    const other = elsewhere();
    await asAdmin(urls.admin, "update run set status = 'waiting' where id = $1", [run]);
    for (let version = asked; version <= all; version += 1) {
      await ask(other, run, desk.people.viewer, { kind: "cancel" });
    }
    expect(await recordsOf(run)).toBeGreaterThan(all);
    await asAdmin(urls.admin, "update run set status = 'running' where id = $1", [run]);
    expect(await drivenTo(desk, run)).toEqual(refusedAt(all - 1));
  });

  it("is frozen by a runner that never drove it, when the log has its records", async () => {
    const { run, approved } = await done();
    await takeCheckpoint(desk.deps, desk.workspace);
    await rollBack(desk, run, { to: approved, log: false });
    expect(await drivenTo(elsewhere(), run)).toEqual(refusedAt(approved));
  });

  it("cannot be forked, nor can a part that a fork shares", async () => {
    const { run, asked, approved } = await done();
    const forkOf = (parent: string): CommandBody => ({
      kind: "fork",
      run: systemClock.id(),
      parent_run: parent,
      parent_seq: asked,
      change: { type: "none" },
      effects: "simulate",
    });
    const first = forkOf(run);
    expect(await ask(desk, run, desk.people.builder, first)).toMatchObject({ refusal: null });
    await rollBack(desk, run, { to: approved });
    expect(await ask(desk, run, desk.people.builder, forkOf(run))).toMatchObject({ refusal: { code: "run_frozen" } });
    const fork = "run" in first ? first.run : "";
    expect(await ask(desk, fork, desk.people.builder, forkOf(fork))).toMatchObject({ refusal: { code: "run_frozen" } });
  });

  it("is not attested", async () => {
    const { run, approved } = await done();
    await rollBack(desk, run, { to: approved });
    const ledger = getWorkspaceLedgerId(desk.workspace);
    const id = await command(desk, ledger, desk.people.reviewer, { kind: "attest", run });
    await recordAttempts(desk.deps, desk.workspace, ledger);
    expect(await awaitAnswer(desk, id)).toMatchObject({ refusal: { code: "run_frozen" } });
  });
});

describe("a spent receipt", () => {
  it("is not accepted for another call after a restore; a person decides again", async () => {
    const { run, approved } = await done();
    await rollBack(desk, run, { to: approved });
    leaveNotice([installation.home], "restored");
    const on = await restarted();
    whole = on;
    const before = await countNoticed("receipt");
    await drive(on, run);
    expect(await frozenOf(on, run)).toBeNull();
    expect(writes()).toHaveLength(1);
    expect(await countNoticed("receipt")).toBe(before + 1);
    const { records } = await readRun(on, run);
    expect(records.slice(approved).some(({ record }) => record.control.some(({ type }) => type === "effect_settled"))).toBe(true);
  });

  it("keeps its first idempotency key, so honouring servers pay once even for an unaware runner", async () => {
    const { run, approved } = await done();
    await rollBack(desk, run, { to: approved });
    const before = await customersOf(desk);
    await drive(elsewhere(), run);
    const [first, second] = writes();
    expect(second?.effectId).not.toBe(first?.effectId);
    expect(second?.idempotencyKey).toBe(first?.idempotencyKey);
    expect(await customersOf(desk)).toEqual(before);
  });

  it("is accepted for the same call by the next runner after a kill right before it", async () => {
    const run = await startRun(desk, "honest", MAIL);
    await drive(desk, run);
    const { state } = await readRun(desk, run);
    const before = await customersOf(desk);
    await command(desk, run, desk.people.reviewer, decisionFor(desk, state, "approve"));
    const killed = { desk, runId: run, leaseMs: 10_000, dieAfterRecord: null, dieAfterCall: null, dieBeforeTool: "update_plan" };
    expect(await runRunner(killed)).toBe("SIGKILL");
    expect(await customersOf(desk)).toEqual(before);
    await leaseOver(desk, run);
    await drive(desk, run);
    expect((await readRun(desk, run)).state.status).toBe("completed");
    expect((await customersOf(desk)).applied).toBe(before.applied + 1);
  }, 60_000);
});

it("a runner without its journal starts only after an operator accepted that", async () => {
  await desk.deps.journal.close();
  await rm(getJournalFolder(installation.home), { recursive: true });
  await expect(restarted()).rejects.toMatchObject({ code: "journal_missing" });
  leaveNotice([installation.home], "accepted");
  whole = await restarted();
  expect(existsSync(getJournalFolder(installation.home))).toBe(true);
});
