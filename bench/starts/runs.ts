import { setTimeout as wait } from "node:timers/promises";
import { must } from "@/bench/section";
import { queryOn } from "@/server/testing/connections";

const DRAIN_MS = 600_000;
const LOOK_MS = 250;

const countCompleted = async (admin: string, runs: readonly string[]): Promise<number> => {
  const text = "select count(*)::int as over from run where id = any($1::uuid[]) and status = 'completed'";
  const [found] = await queryOn<{ readonly over: number }>(admin, text, [runs]);

  return found?.over ?? 0;
};

/** @returns seconds until all runs were completed @throws Error */
export const awaitRuns = async (admin: string, runs: readonly string[]): Promise<number> => {
  const beganAtMs = performance.now();
  for (;;) {
    const over = await countCompleted(admin, runs);
    const tookMs = performance.now() - beganAtMs;
    if (over >= runs.length) return tookMs / 1_000;
    must(tookMs < DRAIN_MS, `${runs.length - over} of ${runs.length} runs were not completed after ${DRAIN_MS / 1_000} seconds`);
    await wait(LOOK_MS);
  }
};

/** @throws Error unless each start of the graph made exactly one run */
export const demandOnce = async (admin: string, graphId: string): Promise<void> => {
  const [found] = await queryOn<{ readonly runs: number; readonly records: number }>(
    admin,
    `select count(*)::int as runs,
       (select count(*)::int from ledger_record l join run r on r.id = l.run_id where r.graph_id = $1 and l.seq = 0) as records
     from run where graph_id = $1`,
    [graphId],
  );
  must(found?.runs === found?.records, `${found?.runs} runs have ${found?.records} first records`);
};
