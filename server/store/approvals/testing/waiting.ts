import { randomUUID } from "node:crypto";
import type { Role } from "@/lib/roles";
import { asAdmin, testWorkspace } from "@/server/mcp/testing/registered";

const HOUR_MS = 3_600_000;

export const NOW = 1_800_000_000_000;

const RUN = `insert into run (workspace_id, id, graph_id, graph_hash, initiator_id, status, version, head, created_at, updated_at)
  values ($1, $2, $3, 'h', $3, 'waiting', 1, 'h', now(), now())`;
const APPROVAL = `insert into approval (workspace_id, id, run_id, node, reason, prompt, role, transition_digest, status, barred, opened_at, expires_at)
  values ($1, $2, $3, 'ask', 'approval_node', 'Shall it?', 'reviewer', 'd', 'open', $4, to_timestamp($5 / 1000.0), to_timestamp($6 / 1000.0))`;

type Asked = { readonly openedMs?: number; readonly expiresMs?: number; readonly barred?: readonly string[] };

/** @param admin address of the database */
export const openWaiting = async (admin: string) => {
  const workspace = await testWorkspace(admin);
  const graph = randomUUID();
  await asAdmin(admin, "insert into graph (workspace_id, id, name) values ($1, $2, 'Desk')", [workspace, graph]);

  return {
    workspace,
    join: async (role: Role): Promise<string> => {
      const id = randomUUID();
      await asAdmin(admin, "insert into app_user (id, email, name) values ($1, $2, $3)", [id, `${id}@test.invalid`, role]);
      await asAdmin(admin, "insert into membership (workspace_id, user_id, role) values ($1, $2, $3)", [workspace, id, role]);

      return id;
    },
    ask: async ({ openedMs = NOW - HOUR_MS, expiresMs = NOW + 23 * HOUR_MS, barred = [] }: Asked = {}): Promise<string> => {
      const [id, run] = [randomUUID(), randomUUID()];
      await asAdmin(admin, RUN, [workspace, run, graph]);
      await asAdmin(admin, APPROVAL, [workspace, id, run, barred, openedMs, expiresMs]);

      return id;
    },
  };
};
