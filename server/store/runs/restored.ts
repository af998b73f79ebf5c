import { z } from "zod";
import { getPool } from "@/server/db/client";
import { HELD } from "@/server/db/restored";

/** Tells whether the run awaits an operator's release. */
export const isHeld = async (workspaceId: string, runId: string): Promise<boolean> => {
  const found = await getPool().query({
    name: "is-held",
    text: "select 1 from run where workspace_id = $1 and id = $2 and starts_with(frozen, $3)",
    values: [workspaceId, runId, HELD],
  });

  return found.rowCount === 1;
};

const heldSchema = z.object({ workspace: z.string(), run: z.string(), graph: z.string(), status: z.string(), records: z.number() });

export type HeldRun = z.infer<typeof heldSchema>;

/** Held runs, last changed first. */
export const listHeldRuns = async (): Promise<readonly HeldRun[]> => {
  const found = await getPool().query(
    `select workspace_id as workspace, id as run, graph_id as graph, status, version as records
     from run where starts_with(frozen, $1) order by updated_at desc, id`,
    [HELD],
  );

  return z.array(heldSchema).parse(found.rows);
};

/** Releases held runs. @param runs null: all @returns their ids */
export const releaseHeld = async (runs: readonly string[] | null): Promise<readonly string[]> => {
  const released = await getPool().query(
    `update run set frozen = nullif(substr(frozen, length($1) + length(': ') + 1), '')
     where starts_with(frozen, $1) and ($2::uuid[] is null or id = any($2)) returning id`,
    [HELD, runs],
  );

  return z
    .array(z.object({ id: z.string() }))
    .parse(released.rows)
    .map(({ id }) => id);
};
