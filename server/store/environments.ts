import { variablesSchema, type Variables } from "@/lib/environments/variables";
import { getDatabase, scopeToWorkspace } from "@/server/db/client";
import type { LedgerTransaction } from "@/server/store/runs/attempts";

export type VariablesRow = { readonly variables: Variables; readonly changedAt: number; readonly changedBy: string };

type Stored = { readonly variables: unknown; readonly changedAt: Date; readonly changedBy: string };

const readRow = ({ variables, changedAt, changedBy }: Stored): VariablesRow => ({
  variables: variablesSchema.parse(variables),
  changedAt: changedAt.getTime(),
  changedBy,
});

export const readVariablesRow = async (workspaceId: string, environment: string): Promise<VariablesRow | null> => {
  const row = await getDatabase().environmentVariables.findFirst({ where: { workspaceId, environment } });

  return row && readRow(row);
};

export const listVariablesRows = async (workspaceId: string): Promise<ReadonlyMap<string, VariablesRow>> => {
  const rows = await scopeToWorkspace(workspaceId).environmentVariables.findMany({ where: { workspaceId } });

  return new Map(rows.map((row) => [row.environment, readRow(row)]));
};

export const writeVariablesRow = async (
  tx: LedgerTransaction,
  { workspaceId, environment }: { readonly workspaceId: string; readonly environment: string },
  { variables, changedAt, changedBy }: VariablesRow,
): Promise<void> => {
  const row = { variables: { ...variables }, changedAt: new Date(changedAt), changedBy };
  await tx.environmentVariables.upsert({
    where: { workspaceId_environment: { workspaceId, environment } },
    create: { workspaceId, environment, ...row },
    update: row,
  });
};

/** For throw-away workspaces: nothing vouches for the row until it is adopted. */
export const insertVariables = async (workspaceId: string, environment: string, variables: Variables, atMs: number): Promise<void> => {
  const row = { workspaceId, environment, variables: { ...variables }, changedAt: new Date(atMs), changedBy: workspaceId };
  if (Object.keys(variables).length > 0) await getDatabase().environmentVariables.create({ data: row });
};

export const removeVariablesRow = async (tx: LedgerTransaction, workspaceId: string, environment: string): Promise<void> => {
  await tx.environmentVariables.deleteMany({ where: { workspaceId, environment } });
};
