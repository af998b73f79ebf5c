import { z } from "zod";
import { runStatusSchema, type RunStatus } from "@/lib/engine/event";
import { hexDigestSchema } from "@/lib/hash";
import { runRead, scopeToWorkspace } from "@/server/db/client";
import { columnsOf, prepareQuery, queryRows, type SqlClient } from "@/server/store/sql/rows";
import { msSchema } from "@/server/store/times";

const runRow = z.object({
  id: z.string(),
  graphId: z.string(),
  graphHash: hexDigestSchema,
  graphName: z.string(),
  /** Null: missing. */
  versionNumber: z.number().nullable(),
  initiatorId: z.string(),
  initiatorName: z.string(),
  status: runStatusSchema,
  currentNode: z.string().nullable(),
  /** The ledger does not verify. */
  frozen: z.string().nullable(),
  parentRun: z.string().nullable(),
  forkSeq: z.number().nullable(),
  simulated: z.boolean(),
  environment: z.string().nullable(),
  version: z.number(),
  head: z.string(),
  refusals: z.number(),
  budgetPercent: z.number(),
  totalTokens: z.number(),
  totalMicroUsd: z.coerce.number(),
  /** Times: ms since 1970. */
  createdAt: msSchema,
  updatedAt: msSchema,
});
export type RunRow = Readonly<z.infer<typeof runRow>>;

const NAMED = columnsOf(
  runRow,
  { graphName: "coalesce(g.name, '')", versionNumber: "v.number", initiatorName: "coalesce(u.name, '')" },
  "r.",
);
const NAMES = `left join graph g on g.workspace_id = r.workspace_id and g.id = r.graph_id
  left join graph_version v on v.workspace_id = r.workspace_id and v.hash = r.graph_hash
  left join app_user u on u.id = r.initiator_id`;

type RunQuery = {
  /** Follows `from`, and selects runs as `r`. */
  readonly from: string;
  readonly tail: string;
  readonly values: readonly unknown[];
};

export const queryRuns = (client: SqlClient, { from, tail, values }: RunQuery): Promise<RunRow[]> =>
  queryRows(client, runRow, prepareQuery({ text: `select ${NAMED} from ${from} ${NAMES} ${tail}`, values }));

export const getRun = (workspaceId: string, id: string): Promise<RunRow | null> =>
  runRead(
    workspaceId,
    async (client) =>
      (await queryRuns(client, { from: "run r", tail: "where r.workspace_id = $1 and r.id = $2", values: [workspaceId, id] }))[0] ?? null,
  );

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

export const getGraphNames = async (workspaceId: string, ids: readonly string[]): Promise<Readonly<Record<string, string>>> => {
  const runs = await runRead(workspaceId, (client) =>
    queryRuns(client, { from: "run r", tail: "where r.workspace_id = $1 and r.id = any ($2::uuid[])", values: [workspaceId, ids] }),
  );

  return Object.fromEntries(runs.map(({ id, graphName }) => [id, graphName]));
};
