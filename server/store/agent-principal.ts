/** Outside agents as principals: what the database says about a token and its session at this moment. */
import { z } from "zod";
import { AGENT_SCOPES, principalSchema, tokenObjection, type Principal } from "@/lib/engine/principal";
import { integritySchema } from "@/lib/graph/label";
import { roleSchema } from "@/lib/roles";
import { pool } from "@/server/db/client";

type Agent = Extract<Principal, { type: "agent" }>;

/** Stands in a record for a session that the attempt did not name. */
const NO_SESSION = "00000000-0000-0000-0000-000000000000";

const rowSchema = z.object({
  owner_id: z.uuid(),
  integrity: integritySchema,
  scopes: z.array(z.enum(AGENT_SCOPES)),
  role: z.string().nullable(),
});

/**
 * The outside agent that drives this run by this session of this token.
 * @param at milliseconds since 1970
 * @returns null when token or session is revoked, expired or unknown here, when the run is not one that the session drives,
 * or when whoever made the token could not make it any more
 */
export const agentPrincipal = async (
  workspaceId: string,
  tokenId: string,
  sessionId: string | null,
  runId: string,
  at: number,
): Promise<Agent | null> => {
  const { rows } = await pool().query(
    `select t.owner_id, t.integrity, t.scopes, m.role
     from agent_token t
     join agent_session s on s.workspace_id = t.workspace_id and s.token_id = t.id
     join agent_session_run d on d.workspace_id = t.workspace_id and d.session_id = s.id and d.run_id = $4
     join app_user u on u.id = t.owner_id and u.disabled_at is null
     join membership m on m.workspace_id = t.workspace_id and m.user_id = t.owner_id
     left join run r on r.id = d.run_id
     where t.workspace_id = $1 and t.id = $2 and s.id = $3
       and t.revoked_at is null and t.expires_at > to_timestamp($5::double precision / 1000)
       and s.revoked_at is null and s.expires_at > to_timestamp($5::double precision / 1000)
       and (t.all_graphs or s.graph_id = any (t.graphs))
       and (r.id is null or (r.workspace_id = t.workspace_id and r.graph_id = s.graph_id))`,
    [workspaceId, tokenId, sessionId, runId, at],
  );
  const row = rowSchema.safeParse(rows[0]).data;
  const role = roleSchema.safeParse(row?.role).data;
  if (!row || !role || sessionId === null || tokenObjection(role, row) !== null) return null;

  return { type: "agent", token: tokenId, session: sessionId, owner: row.owner_id, integrity: row.integrity, scopes: row.scopes };
};

/** Who tried, for the record of it: a token of this workspace, whatever became of it. It may nothing, so it has no scopes. */
export const attemptingAgent = async (workspaceId: string, tokenId: string, sessionId: string | null): Promise<Agent | null> => {
  const { rows } = await pool().query("select owner_id, integrity from agent_token where workspace_id = $1 and id = $2", [
    workspaceId,
    tokenId,
  ]);
  const row = rowSchema.pick({ owner_id: true, integrity: true }).safeParse(rows[0]).data;
  const agent = row && {
    type: "agent",
    token: tokenId,
    session: sessionId ?? NO_SESSION,
    owner: row.owner_id,
    integrity: row.integrity,
    scopes: [],
  };
  const parsed = principalSchema.safeParse(agent).data;

  return parsed?.type === "agent" ? parsed : null;
};
