import { setTimeout as wait } from "node:timers/promises";
import { must } from "@/bench/section";
import { queryOn } from "@/server/testing/connections";

const DRAIN_MS = 600_000;
const LOOK_MS = 250;

type Counted = { readonly runs: number; readonly over: number; readonly first_records: number };

const countRuns = async (admin: string, graphId: string): Promise<Counted> => {
  const [found] = await queryOn<Counted>(
    admin,
    `select count(*)::int as runs, (count(*) filter (where status = 'completed'))::int as over,
       (select count(*)::int from ledger_record l join run r on r.id = l.run_id where r.graph_id = $1 and l.seq = 0) as first_records
     from run where graph_id = $1`,
    [graphId],
  );

  return found ?? { runs: 0, over: 0, first_records: 0 };
};

/** @returns seconds until all runs were completed @throws Error */
export const awaitRuns = async (admin: string, graphId: string, runs: number): Promise<number> => {
  const beganAtMs = performance.now();
  for (;;) {
    const { over } = await countRuns(admin, graphId);
    const tookMs = performance.now() - beganAtMs;
    if (over >= runs) return tookMs / 1_000;
    must(tookMs < DRAIN_MS, `${runs - over} of ${runs} runs were not completed after ${DRAIN_MS / 1_000} seconds`);
    await wait(LOOK_MS);
  }
};

/** @throws Error unless each start made exactly one run */
export const demandOnce = async (admin: string, graphId: string, started: readonly string[]): Promise<void> => {
  const found = await queryOn<{ id: string }>(admin, "select id from run where graph_id = $1", [graphId]);
  const ids = new Set(found.map(({ id }) => id));
  must(
    started.every((id) => ids.has(id)),
    "an accepted start made no run",
  );
  const { runs, first_records: records } = await countRuns(admin, graphId);
  must(runs === records, `${runs} runs have ${records} first records`);
};
