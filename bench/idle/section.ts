import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { cpuSeconds } from "@/bench/processes";
import { fillLists } from "@/bench/reads/rows";
import { freshPlace } from "@/bench/reads/place";
import { figure, markdown } from "@/bench/report";
import { buildRunner, startRunner } from "@/bench/runner-process";
import type { Bench, Section } from "@/bench/section";
import type { BenchServer } from "@/bench/server";
import { queryOn } from "@/server/testing/connections";

const LOADS = {
  full: { waiting: 1_000, over: 10_000, seconds: 30, settleMs: 15_000 },
  quick: { waiting: 20, over: 200, seconds: 3, settleMs: 1_000 },
} as const;

const idleness = (cpu: number | null, statements: number, databaseMs: number, seconds: number) => ({
  /** Null: unreadable. */
  cpu_per_second: cpu === null ? null : cpu / seconds,
  statements_per_second: statements / seconds,
  database_ms_per_second: databaseMs / seconds,
});
type Idleness = ReturnType<typeof idleness>;

export type IdleResult = {
  readonly seconds: number;
  readonly waiting: number;
  readonly over: number;
  readonly without_runs: Idleness;
  readonly with_waiting: Idleness;
  readonly with_waiting_and_over: Idleness;
};

type Asked = { readonly calls: number; readonly ms: number };

const askedBy = async (url: string): Promise<Asked> => {
  const [row] = await queryOn<{ calls: number; ms: number }>(
    url,
    `select coalesce(sum(calls), 0)::float8 as calls, coalesce(sum(total_exec_time), 0)::float8 as ms
     from pg_stat_statements s join pg_roles r on r.oid = s.userid where r.rolname = 'countersign_runner'`,
  );

  return row ?? { calls: 0, ms: 0 };
};

const countStatements = async (server: BenchServer, url: string): Promise<void> => {
  await server.query(server.adminUrl, "alter system set pg_stat_statements.track = 'top'");
  await server.query(server.adminUrl, "select pg_reload_conf()");
  await server.query(url, "create extension if not exists pg_stat_statements");
};

const stopCounting = async (server: BenchServer): Promise<void> => {
  await server.query(server.adminUrl, "alter system reset pg_stat_statements.track");
  await server.query(server.adminUrl, "select pg_reload_conf()");
};

const watch = async (url: string, pid: number, seconds: number): Promise<Idleness> => {
  const [cpuBefore, askedBefore] = [cpuSeconds(pid), await askedBy(url)];
  await wait(seconds * 1_000);
  const [cpuAfter, askedAfter] = [cpuSeconds(pid), await askedBy(url)];
  const cpu = cpuBefore === null || cpuAfter === null ? null : cpuAfter - cpuBefore;

  return idleness(cpu, askedAfter.calls - askedBefore.calls, askedAfter.ms - askedBefore.ms, seconds);
};

const run = async (bench: Bench): Promise<IdleResult> => {
  const { waiting, over, seconds, settleMs } = LOADS[bench.scale];
  const progress = bench.counted(3);
  const server = await bench.server();
  const { admin, runner } = await server.migrated();
  const home = fs.mkdtempSync(path.join(os.tmpdir(), "countersign-idle-"));
  const place = await freshPlace({ admin, runner }, home);
  await countStatements(server, admin);
  const child = await startRunner(await buildRunner(home), { home, runnerUrl: runner, adminUrl: admin });
  try {
    const settled = async (text: string): Promise<Idleness> => {
      progress(text);
      await wait(settleMs);

      return watch(admin, child.pid ?? 0, seconds);
    };
    const none = await settled("an idle runner without runs");
    await fillLists(place, 0, waiting);
    const some = await settled(`an idle runner with ${waiting} runs that wait for people`);
    await fillLists(place, over, 0);
    const all = await settled(`an idle runner with ${over} more that are over`);

    return { seconds, waiting, over, without_runs: none, with_waiting: some, with_waiting_and_over: all };
  } finally {
    child.kill();
    await stopCounting(server);
    fs.rmSync(home, { recursive: true, force: true });
  }
};

const table = ({ seconds, waiting, over, ...all }: IdleResult): string => {
  const row = (name: string, { cpu_per_second: cpu, statements_per_second: statements, database_ms_per_second: ms }: Idleness) => [
    name,
    figure(cpu === null ? null : cpu * 1_000, "ms"),
    figure(statements),
    figure(ms, "ms"),
  ];

  return [
    `An idle runner over ${seconds} seconds, for each second of them.`,
    markdown(
      ["", "processor", "statements", "database"],
      [
        row("without runs", all.without_runs),
        row(`with ${figure(waiting)} that wait for people`, all.with_waiting),
        row(`and ${figure(over)} that are over`, all.with_waiting_and_over),
      ],
    ),
  ].join("\n\n");
};

export const IDLE: Section<IdleResult> = {
  name: "idle",
  says: "what a runner takes that has nothing to do, with runs that wait and runs that are over",
  run,
  table,
};
