import { asAdmin } from "@/server/mcp/testing/registered";
import { query, startRun, type Desk } from "@/server/runner/testing/desk";
import type { McpCall } from "@/server/mcp/contract";
import { expect } from "vitest";
import { systemClock } from "@/server/clock";
import { collectRunnerMetrics } from "@/server/metrics";
import { createMemoryJournal } from "@/server/security/journal/journal";
import { ask, decisionFor, drive, readRun } from "@/server/runner/testing/run";

type Damage = {
  readonly to: number;
  readonly log?: boolean;
};

/** Truncates the run and makes it due. */
export const rollBack = async ({ urls }: Desk, run: string, { to, log = true }: Damage): Promise<void> => {
  const ledgers = ["cell", "ledger_record", "trust_event", "model_usage", "tool_usage", ...(log ? ["log_leaf"] : [])];
  await asAdmin(
    urls.admin,
    `begin; set local session_replication_role = replica;
     ${ledgers.map((table) => `delete from ${table} where run_id = '${run}' and seq >= ${to};`).join("\n")}
     update run set version = ${to}, status = 'running', frozen = null, lease_until = null, drive_after = null, wake_at = null,
       head = (select digest from ledger_record where run_id = '${run}' and seq = ${to - 1}) where id = '${run}';
     commit`,
  );
};

export const frozenOf = async ({ urls }: Desk, run: string): Promise<string | null> =>
  (await query<{ frozen: string | null }>(urls.admin, "select frozen from run where id = $1", [run]))[0]?.frozen ?? null;

/** Records each call that reaches a server. */
export const noting = (desk: Desk): { readonly desk: Desk; readonly calls: McpCall[] } => {
  const calls: McpCall[] = [];
  const { mcp } = desk.deps;
  const call: typeof mcp.call = (asked, signal) => {
    calls.push(asked);

    return mcp.call(asked, signal);
  };

  return { calls, desk: { ...desk, deps: { ...desk.deps, mcp: { ...mcp, call } } } };
};

export const MAIL = "02-outage-credit.txt";
const WRITE = "update_plan";

export const writesIn = (calls: readonly McpCall[]): readonly McpCall[] => calls.filter(({ tool }) => tool === WRITE);

export const countNoticed = async (kind: "head" | "receipt" | "checkpoint"): Promise<number> => {
  const found = new RegExp(`^countersign_rollbacks_total\\{kind="${kind}"\\} (?<times>\\d+)$`, "mu").exec(
    (await collectRunnerMetrics(null)).text,
  );

  return Number(found?.groups?.["times"] ?? 0);
};

/** A runner on another machine, without memory. */
export const elsewhereOf = (desk: Desk): Desk => ({ ...desk, deps: { ...desk.deps, journal: createMemoryJournal(systemClock) } });

export type Done = {
  readonly run: string;
  readonly asked: number;
  readonly approved: number;
  readonly all: number;
};

/** @param calls from `noting` */
export const changeOnce = async (on: Desk, calls: readonly McpCall[]): Promise<Done> => {
  const before = writesIn(calls).length;
  const run = await startRun(on, "honest", MAIL);
  await drive(on, run);
  const { state, records } = await readRun(on, run);
  expect(await ask(on, run, on.people.reviewer, decisionFor(on, state, "approve"))).toMatchObject({ refusal: null });
  const after = await readRun(on, run);
  expect(after.state.status).toBe("completed");
  expect(writesIn(calls)).toHaveLength(before + 1);
  const approved = after.records.findIndex(({ record }) => record.control.some(({ type }) => type === "gate_resolved")) + 1;

  return { run, asked: records.length, approved, all: after.records.length };
};
