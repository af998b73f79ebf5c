import { randomUUID } from "node:crypto";
import { AGENT_SCOPES } from "@/lib/engine/principal";
import type { CommandBody } from "@/lib/engine/proposal";
import type { Integrity } from "@/lib/graph/label";
import { asAdmin } from "@/server/mcp/testing/registered";
import { query, type Desk } from "@/server/runner/testing/desk";
import { drive } from "@/server/runner/testing/run";
import { generateSessionSeed, getPublicKey } from "@/server/security/session-key";
import { outcomeSchema, type CommandOutcome } from "@/server/store/runs/commands";
import { recordRows, writeCommand } from "@/server/testing/authority";

export type Driver = {
  readonly runId: string;
  readonly token: string;
  readonly session: string;
  readonly send: (body: CommandBody) => Promise<CommandOutcome>;
};

/** Opens an outside agent's session of `starter`, and its run. */
export const driveFromOutside = async (desk: Desk, model: string, integrity: Integrity = "untrusted"): Promise<Driver> => {
  const [token, session, runId] = [randomUUID(), randomUUID(), randomUUID()];
  const key = generateSessionSeed();
  const { workspace, urls, graphHash, people } = desk;
  const [version] = await query<{ graph_id: string }>(
    urls.admin,
    "select graph_id from graph_version where hash = $1 and workspace_id = $2",
    [graphHash, workspace],
  );
  await asAdmin(
    urls.admin,
    `insert into agent_token (workspace_id, id, name, hash, hint, audience, scopes, all_graphs, integrity, owner_id, created_at, expires_at, public_key)
     values ($1, $2, 'test', $3, 'cs_', 'http://127.0.0.1/api/mcp', $4, true, $5, $6, now(), now() + interval '1 hour', $7)`,
    [workspace, token, token, [...AGENT_SCOPES], integrity, people.starter, getPublicKey(key)],
  );
  await recordRows(desk.deps, workspace);
  await asAdmin(
    urls.admin,
    `insert into agent_session (workspace_id, id, token_id, graph_id, created_at, last_used_at, expires_at)
     values ($1, $2, $3, $4, now(), now(), now() + interval '1 hour')`,
    [workspace, session, token, version?.graph_id],
  );
  await asAdmin(
    urls.admin,
    "insert into agent_session_run (workspace_id, session_id, ordinal, run_id, cause, at) values ($1, $2, 0, $3, 'start', now())",
    [workspace, session, runId],
  );
  const send = async (body: CommandBody): Promise<CommandOutcome> => {
    const author = { type: "agent", token, session, signer: { type: "token", key } } as const;
    const id = await writeCommand(urls.admin, desk.deps, { workspace, runId, author, body });
    await drive(desk, runId);
    const [row] = await query<{ outcome: unknown }>(urls.admin, "select outcome from command where id = $1", [id]);

    return outcomeSchema.parse(row?.outcome);
  };
  const started = await send({ kind: "start", graph_hash: graphHash, goal: "Refund", constraints: [], inputs: {}, model });
  if (started.refusal) throw new Error(`the run was not started: ${started.refusal.code}`);

  return { runId, token, session, send };
};
