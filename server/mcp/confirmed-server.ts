import type { EgressPolicy } from "@/server/security/egress-url";
import { isAuthorityError, type AuthorityReader } from "@/server/store/trust/authority";
import { getMcpServer } from "@/server/store/mcp/servers";
import type { McpServerRow } from "@/server/store/mcp/row";

/** Null: rows count unverified. */
type Deps = { readonly authority: AuthorityReader | null; readonly egress: EgressPolicy };

/** Reads a server's row. @throws ProjectionMismatch, AuthorityUnverified */
export const readConfirmedServer = ({ authority, egress }: Deps, workspaceId: string, id: string): Promise<McpServerRow | null> => {
  const readRow = () => getMcpServer(workspaceId, id, egress);

  return authority ? authority.confirm(workspaceId, "mcp", id, readRow, (row) => row && row.settings) : readRow();
};

/** Reads a server's row; null when untrusted. */
export const readUsableServer = (deps: Deps, workspaceId: string, id: string): Promise<McpServerRow | null> =>
  readConfirmedServer(deps, workspaceId, id).catch((error: unknown) => {
    if (isAuthorityError(error)) return null;
    throw error;
  });
