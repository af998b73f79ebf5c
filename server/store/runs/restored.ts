import { z } from "zod";
import { getDatabase, getPool } from "@/server/db/client";
import { HELD } from "@/server/db/restored";
import { queryRows } from "@/server/store/sql/rows";

const IS_HELD = { frozen: { startsWith: HELD } };

/** Tells whether the run awaits an operator's release. */
export const isHeld = async (workspaceId: string, runId: string): Promise<boolean> =>
  (await getDatabase().run.count({ where: { workspaceId, id: runId, ...IS_HELD } })) === 1;

export type HeldRun = {
  readonly workspace: string;
  readonly run: string;
  readonly graph: string;
  readonly status: string;
  readonly records: number;
};

/** Held runs, last changed first. */
export const listHeldRuns = async (): Promise<readonly HeldRun[]> => {
  const rows = await getDatabase().run.findMany({
    where: IS_HELD,
    orderBy: [{ updatedAt: "desc" }, { id: "asc" }],
    select: { workspaceId: true, id: true, graphId: true, status: true, version: true },
  });

  return rows.map(({ workspaceId: workspace, id: run, graphId: graph, status, version: records }) => ({
    workspace,
    run,
    graph,
    status,
    records,
  }));
};

const idRow = z.object({ id: z.string() });

/** Releases held runs. @param runs null: all @returns their ids */
export const releaseHeld = async (runs: readonly string[] | null): Promise<readonly string[]> => {
  const released = await queryRows(getPool(), idRow, {
    text: `update run set frozen = nullif(substr(frozen, length($1) + length(': ') + 1), '')
     where starts_with(frozen, $1) and ($2::uuid[] is null or id = any($2)) returning id`,
    values: [HELD, runs],
  });

  return released.map(({ id }) => id);
};
