/** Steps of the MCP registry on record. */
import type { RecordMcpStep } from "@/server/mcp/steps";
import { ENGINE, recordAdminStep, type AdminSigning } from "@/server/runner/admin-ledger";
import type { AuthorityReader } from "@/server/store/trust/authority";

/**
 * Creates what puts steps of the registry on record.
 * It throws ProjectionMismatch for a change that begins with a row that is not what the records say: the change would put on
 * record whatever else was written into that row.
 */
export const mcpStepRecorder =
  (deps: AdminSigning & { readonly authority: AuthorityReader }): RecordMcpStep =>
  async (workspaceId, { by, ...step }, within) => {
    if (within && step.before !== null) await deps.authority.demand(workspaceId, "mcp", step.subject, step.before, within);

    return recordAdminStep(deps, workspaceId, { area: "mcp", by: by ?? ENGINE, ...step }, within);
  };
