/** What whoever can write the database does to one run: sets all of its rows back to an earlier moment. */
import { asAdmin } from "@/server/mcp/testing/registered";
import { query, type Desk } from "@/server/runner/testing/desk";
import type { McpCall } from "@/server/mcp/contract";

type Damage = {
  /** How many records are left. */
  readonly to: number;
  /** Whether the log of the workspace is set back too. */
  readonly log?: boolean;
};

/** Cuts the run to its first records, with everything that its rows say about it, and has it driven again. */
export const rollBack = async ({ urls }: Desk, run: string, { to, log = true }: Damage): Promise<void> => {
  const ledgers = ["cell", "ledger_record", "trust_event", ...(log ? ["log_leaf"] : [])];
  await asAdmin(
    urls.admin,
    `begin; set local session_replication_role = replica;
     ${ledgers.map((table) => `delete from ${table} where run_id = '${run}' and seq >= ${to};`).join("\n")}
     update run set version = ${to}, status = 'running', frozen = null, lease_until = null, drive_after = null, wake_at = null,
       head = (select digest from ledger_record where run_id = '${run}' and seq = ${to - 1}) where id = '${run}';
     commit`,
  );
};

export const frozenOf = async ({ urls }: Desk, run: string): Promise<string | null> =>
  (await query<{ frozen: string | null }>(urls.admin, "select frozen from run where id = $1", [run]))[0]?.frozen ?? null;

/** The desk with a note of each call that reaches a server. */
export const noting = (desk: Desk): { readonly desk: Desk; readonly calls: McpCall[] } => {
  const calls: McpCall[] = [];
  const { mcp } = desk.deps;
  const call: typeof mcp.call = (asked, signal) => {
    calls.push(asked);

    return mcp.call(asked, signal);
  };

  return { calls, desk: { ...desk, deps: { ...desk.deps, mcp: { ...mcp, call } } } };
};
