import type { RecordMcpStep } from "@/server/mcp/steps";
import { ENGINE, recordAdminStep, type AdminSigning } from "@/server/runner/admin-ledger";
import type { AuthorityReader } from "@/server/store/trust/authority";

/** Creates the recorder. @throws ProjectionMismatch for a differing row, which would record the tampered fields too */
export const createMcpStepRecorder =
  (deps: AdminSigning & { readonly authority: AuthorityReader }): RecordMcpStep =>
  async (workspaceId, { by, ...step }, within) => {
    if (within && step.before !== null) await deps.authority.demand(workspaceId, "mcp", step.subject, step.before, within);

    return recordAdminStep(deps, workspaceId, { area: "mcp", by: by ?? ENGINE, ...step }, within);
  };
