import { z } from "zod";
import { runStatusSchema, type RunStatus } from "@/lib/engine/event";
import { hexDigestSchema, type HexDigest } from "@/lib/hash";
import { runRead, scopeToWorkspace } from "@/server/db/client";

export type RunRow = {
  readonly id: string;
  readonly graphId: string;
  readonly graphHash: HexDigest;
  readonly graphName: string;
  /** Null: missing. */
  readonly versionNumber: number | null;
  readonly initiatorId: string;
  readonly initiatorName: string;
  readonly status: RunStatus;
  readonly currentNode: string | null;
  /** The ledger does not verify. */
  readonly frozen: string | null;
  readonly parentRun: string | null;
  readonly forkSeq: number | null;
  readonly simulated: boolean;
  readonly version: number;
  readonly head: string;
  readonly refusals: number;
  readonly totalTokens: number;
  readonly totalMicroUsd: number;
  /** Times: ms since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
};

export const NAMED = `r.id, r.graph_id, r.graph_hash, coalesce(g.name, '') as graph_name, v.number as version_number, r.initiator_id,
    coalesce(u.name, '') as initiator_name, r.status, r.current_node, r.frozen, r.parent_run, r.fork_seq, r.simulated, r.version, r.head,
    r.refusals, r.total_tokens, r.total_micro_usd, r.created_at, r.updated_at`;
export const NAMES = `left join graph g on g.workspace_id = r.workspace_id and g.id = r.graph_id
  left join graph_version v on v.workspace_id = r.workspace_id and v.hash = r.graph_hash
  left join app_user u on u.id = r.initiator_id`;

const namedSchema = z.object({
  id: z.string(),
  graph_id: z.string(),
  graph_hash: hexDigestSchema,
  graph_name: z.string(),
  version_number: z.number().nullable(),
  initiator_id: z.string(),
  initiator_name: z.string(),
  status: runStatusSchema,
  current_node: z.string().nullable(),
  frozen: z.string().nullable(),
  parent_run: z.string().nullable(),
  fork_seq: z.number().nullable(),
  simulated: z.boolean(),
  version: z.number(),
  head: z.string(),
  refusals: z.number(),
  total_tokens: z.number(),
  total_micro_usd: z.coerce.number(),
  created_at: z.date(),
  updated_at: z.date(),
});

/** @param rows selecting `NAMED` */
export const runRows = (rows: readonly unknown[]): RunRow[] =>
  z
    .array(namedSchema)
    .parse(rows)
    .map((row) => ({
      id: row.id,
      graphId: row.graph_id,
      graphHash: row.graph_hash,
      graphName: row.graph_name,
      versionNumber: row.version_number,
      initiatorId: row.initiator_id,
      initiatorName: row.initiator_name,
      status: row.status,
      currentNode: row.current_node,
      frozen: row.frozen,
      parentRun: row.parent_run,
      forkSeq: row.fork_seq,
      simulated: row.simulated,
      version: row.version,
      head: row.head,
      refusals: row.refusals,
      totalTokens: row.total_tokens,
      totalMicroUsd: row.total_micro_usd,
      createdAt: row.created_at.getTime(),
      updatedAt: row.updated_at.getTime(),
    }));

/** Returns a run, or null. */
export const getRun = (workspaceId: string, id: string): Promise<RunRow | null> =>
  runRead(workspaceId, async (client) => {
    const { rows } = await client.query({
      name: "run",
      text: `select ${NAMED} from run r ${NAMES} where r.workspace_id = $1 and r.id = $2`,
      values: [workspaceId, id],
    });

    return runRows(rows)[0] ?? null;
  });

export type RunStanding = { readonly status: RunStatus; readonly version: number; readonly frozen: string | null };

/** Skips missing runs. */
export const runStandings = async (
  workspaceId: string,
  ids: readonly string[],
): Promise<readonly (RunStanding & { readonly id: string })[]> => {
  const rows = await scopeToWorkspace(workspaceId).run.findMany({
    where: { workspaceId, id: { in: [...ids] } },
    select: { id: true, status: true, version: true, frozen: true },
  });

  return rows.map((row) => ({ ...row, status: runStatusSchema.parse(row.status) }));
};

/** Null: missing. */
export const runStanding = async (workspaceId: string, id: string): Promise<RunStanding | null> => {
  const [standing] = await runStandings(workspaceId, [id]);

  return standing ? { status: standing.status, version: standing.version, frozen: standing.frozen } : null;
};
