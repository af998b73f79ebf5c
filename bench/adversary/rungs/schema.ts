import { randomUUID } from "node:crypto";
import { z } from "zod";
import { NO_ACCESS } from "@/lib/mcp/access";
import { computeReachedDigest } from "@/lib/mcp/identity";
import { stdioManifestSchema } from "@/lib/mcp/program";
import { mcpTransportSchema } from "@/lib/mcp/transport";
import { computeVersionHash } from "@/lib/graph/publish";
import type { PublishedGraph } from "@/lib/graph/document";
import { toCanonicalJson, type Json } from "@/lib/json";
import type { Role } from "@/lib/roles";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { generateSessionSeed, getPublicKey, type SessionKey } from "@/server/security/session-key";
import { openEnvelope, toPlainBody, sealCommand, sealEnvelope } from "@/server/store/runs/command-envelope";
import type { IdentityKey } from "@/server/store/people/identities";
import { queryOn } from "@/server/testing/connections";
import type { Outsider } from "@/server/runner/testing/outside";
import { TILL } from "./graphs";
import type { Version } from "./installation";
import { until } from "./until";
import type { World } from "./world";

const documentOf = (published: PublishedGraph): string => toCanonicalJson(JSON.parse(JSON.stringify(published)) as Json);

export const insertVersion = async (world: World, like: Version, published: PublishedGraph, author: string): Promise<Version> => {
  const hash = computeVersionHash(published);
  await world.sql(
    `insert into graph_version (workspace_id, hash, graph_id, number, document, author_id)
     select workspace_id, $3, graph_id, 2, $4, $5 from graph_version where workspace_id = $1 and hash = $2`,
    [world.desk.workspace, like.hash, hash, documentOf(published), author],
  );

  return { hash, published };
};

export const swapVersionText = async (world: World, { hash }: Version, published: PublishedGraph): Promise<void> => {
  await world.sql("update graph_version set document = $3 where workspace_id = $1 and hash = $2", [
    world.desk.workspace,
    hash,
    documentOf(published),
  ]);
};

export const findNewestVersion = async (world: World, { hash }: Version): Promise<string> => {
  const [row] = await world.sql<{ hash: string }>(
    `select v.hash from graph_version v join graph_version o on o.workspace_id = v.workspace_id and o.graph_id = v.graph_id
     where o.workspace_id = $1 and o.hash = $2 order by v.number desc limit 1`,
    [world.desk.workspace, hash],
  );

  return row?.hash ?? hash;
};

/** Deletes from `seq` on, with derived rows. */
export const rollBack = async (world: World, run: string, seq: number, status: string): Promise<void> => {
  for (const table of ["cell", "trust_event", "log_leaf", "ledger_record"]) {
    await world.sql(`delete from ${table} where run_id = $1 and seq >= $2`, [run, seq]);
  }
  await world.sql(
    `update run set version = $2, status = $3, lease_until = null, wake_at = now(), current_node = null, drive_after = null,
       head = coalesce((select digest from ledger_record where run_id = $1 order by seq desc limit 1), head)
     where id = $1`,
    [run, seq, status],
  );
};

export const findRecord = async (world: World, run: string, text: string): Promise<number> => {
  const [row] = await world.sql<{ seq: number }>(
    "select seq from ledger_record where run_id = $1 and strpos(body, $2) > 0 order by seq limit 1",
    [run, text],
  );
  if (!row) throw new Error(`no record of the run has ${text}`);

  return row.seq;
};

export const reopenApprovals = async (world: World, run: string): Promise<void> => {
  await world.sql("update approval set status = 'open', resolved_at = null where run_id = $1", [run]);
};

export const setRole = async (world: World, user: string, role: Role): Promise<void> => {
  await world.sql("update membership set role = $3 where workspace_id = $1 and user_id = $2", [world.desk.workspace, user, role]);
};

export const insertMember = async (world: World, role: Role): Promise<string> => {
  const id = randomUUID();
  await world.sql("insert into app_user (id, email, name) values ($1, $2, 'Outsider')", [id, `${id}@example.com`]);
  await world.sql("insert into membership (workspace_id, user_id, role) values ($1, $2, $3)", [world.desk.workspace, id, role]);

  return id;
};

export const linkIdentity = async (world: World, { issuer, subject }: IdentityKey, user: string): Promise<void> => {
  await world.sql("insert into identity (issuer, subject, user_id) values ($1, $2, $3)", [issuer, subject, user]);
};

export const captureCommands = async (world: Pick<World, "sql">): Promise<void> => {
  await world.sql("create table captured (like command)");
  await world.sql(
    `create function capture() returns trigger language plpgsql security definer as
     $$ begin insert into captured select NEW.*; return NEW; end $$`,
  );
  await world.sql("create trigger capture after insert on command for each row execute function capture()");
};

/** @param run target */
export const replayCommand = async (world: World, kind: string, run: string | null = null): Promise<string> => {
  await world.sql("delete from command where id in (select id from captured where kind = $1)", [kind]);
  const [row] = await world.sql<{ run_id: string }>(
    `insert into command (workspace_id, id, run_id, user_id, token_id, session_id, kind, body)
     select workspace_id, id, coalesce($2::uuid, run_id), user_id, token_id, session_id, kind, body from captured where kind = $1 limit 1
     returning run_id`,
    [kind, run],
  );
  if (!row) throw new Error(`no ${kind} was captured`);

  return row.run_id;
};

/** @param change of the new row, in SQL */
export const rewriteCommands = async (world: World, kind: string, change: string): Promise<void> => {
  await world.sql(
    `create function rewrite() returns trigger language plpgsql security definer as
     $$ begin if NEW.kind = '${kind}' then ${change}; end if; return NEW; end $$`,
  );
  await world.sql("create trigger a_rewrite before insert on command for each row execute function rewrite()");
};

export const mintSession = async ({ sql }: Pick<World, "sql">, user: string): Promise<SessionKey> => {
  const session = { id: randomUUID(), key: generateSessionSeed() };
  await sql(
    `insert into session (id, user_id, workspace_id, address, user_agent, public_key, proved_at)
     select $1, user_id, workspace_id, '127.0.0.0', 'Firefox', $3, now() from membership where user_id = $2`,
    [session.id, user, getPublicKey(session.key)],
  );

  return session;
};

/** Takes a session's id where readable, with the attacker's key. */
export const borrowSession = async ({ sql }: Pick<World, "sql">, user: string): Promise<SessionKey> => {
  const [row] = await sql<{ id: string }>("select id from session where user_id = $1 and revoked_at is null limit 1", [user]).catch(
    () => [],
  );

  return { id: row?.id ?? randomUUID(), key: generateSessionSeed() };
};

export const sealAsk = (
  { workspace, deps }: World["desk"],
  author: { readonly id: string; readonly session: SessionKey },
  place: string,
  body: object,
): Buffer =>
  Buffer.from(
    sealEnvelope(deps.vault, {
      workspaceId: workspace,
      place,
      runId: getWorkspaceLedgerId(workspace),
      author: { type: "user", ...author },
      sentAt: Date.now(),
      body: toPlainBody(body),
    }),
  );

/** Relabels the charge as a read. @param seen session whose cookie passed through the web process */
export const insertRegistryCommand = async (world: World, admin: string, seen?: SessionKey): Promise<void> => {
  const { workspace } = world.desk;
  const [server] = await world.sql<{ revision: number }>("select revision from mcp_server where workspace_id = $1 and id = $2", [
    workspace,
    TILL.server,
  ]);
  const labels = { effect: "read", idempotent: true, output: "internal", outward: false, clearance: "secret" };
  const id = randomUUID();
  const asked = { type: "set_labels", id: TILL.server, revision: server?.revision, labels: { [TILL.pays]: labels } };
  const sent =
    world.rung === "web"
      ? sealAsk(world.desk, { id: admin, session: seen ?? (await borrowSession(world, admin)) }, id, asked)
      : Buffer.from(JSON.stringify(asked));
  await world.sql("insert into registry_command (workspace_id, id, user_id, body) values ($1, $2, $3, $4)", [workspace, id, admin, sent]);
  await world.sql("select pg_notify('countersign_registry', '')");
  await until("the registry answers", async () => {
    const [row] = await world.sql<{ status: string }>("select status from registry_command where id = $1", [id]);

    return row?.status !== "pending";
  }).catch(() => undefined);
};

type Body = { readonly kind: string; readonly [member: string]: unknown };
type Forged = { readonly run: string; readonly user: string; readonly session?: SessionKey | null | undefined; readonly body: Body };

type Row = { readonly id: string; readonly run: string; readonly user: string; readonly kind: string; readonly body: Uint8Array };

const insertCommand = async ({ desk: { workspace }, sql }: World, { id, run, user, kind, body }: Row): Promise<void> => {
  await sql("insert into command (workspace_id, id, run_id, user_id, kind, body) values ($1, $2, $3, $4, $5, $6)", [
    workspace,
    id,
    run,
    user,
    kind,
    Buffer.from(body),
  ]);
  await sql("select pg_notify('countersign_command', $1)", [`${workspace} ${run}`]);
};

/** Sends a command with the web process's role and vault key. @param forged.session default: the person's @returns its id */
export const runForgeCommand = async (world: World, { run, user, session, body }: Forged): Promise<string> => {
  const { workspace: workspaceId, deps } = world.desk;
  const id = randomUUID();
  const author = { type: "user", id: user, session: session === undefined ? await borrowSession(world, user) : session } as const;
  const command = sealCommand(deps.vault, { workspaceId, id, runId: run, author, sentAt: Date.now(), body });
  await insertCommand(world, { id, run, user, kind: body.kind, body: command.body });

  return id;
};

/** Keeps commands for `runResendCommand`. */
export const keepCommands = ({ desk }: World): Promise<void> =>
  captureCommands({ sql: (text, values) => queryOn(desk.urls.admin, text, values) });

/** Resends with the original signature. @param into another run @returns its id */
export const runResendCommand = async (world: World, command: string, into: string): Promise<string> => {
  const { workspace: workspaceId, deps, urls } = world.desk;
  type Kept = { readonly user_id: string; readonly kind: string; readonly body: Buffer };
  const [row] = await queryOn<Kept>(urls.admin, "select user_id, kind, body from captured where id = $1", [command]);
  const opened = row && openEnvelope(deps.vault, { workspaceId, place: command, sealed: row.body });
  if (!row || typeof opened !== "object") throw new Error("the command does not open");
  const id = randomUUID();
  const body = deps.vault.sealCommand(workspaceId, id, { ...opened, run: into, sent_at: Date.now() });
  await insertCommand(world, { id, run: into, user: row.user_id, kind: row.kind, body });

  return id;
};

export const insertAgentToken = async (world: World, { hash }: Version): Promise<Outsider> => {
  const { workspace, people } = world.desk;
  const [token, session, key] = [randomUUID(), randomUUID(), generateSessionSeed()];
  await world.sql(
    `insert into agent_token (workspace_id, id, name, hash, hint, audience, scopes, all_graphs, integrity, owner_id, created_at, expires_at,
       public_key)
     values ($1, $2, 'Attacker', $3, 'cs_', 'http://127.0.0.1', '{run.read,run.drive}', true, 'trusted', $4, now(), now() + interval '1 day', $5)`,
    [workspace, token, token, people.admin, getPublicKey(key)],
  );
  await world.sql(
    `insert into agent_session (workspace_id, id, token_id, graph_id, created_at, last_used_at, expires_at)
     select $1, $2, $3, graph_id, now(), now(), now() + interval '1 day' from graph_version where workspace_id = $1 and hash = $4`,
    [workspace, session, token, hash],
  );

  return { token, key, session, graphHash: hash };
};

/** Pins the till's changed program as reviewed. @param deeds new folder for its effects */
export const rerouteTill = async (world: World, deeds: string): Promise<void> => {
  const { workspace } = world.desk;
  const [row] = await world.sql<{ transport: unknown }>("select transport from mcp_server where workspace_id = $1 and id = $2", [
    workspace,
    TILL.server,
  ]);
  const { manifest } = z.object({ manifest: stdioManifestSchema }).parse(row?.transport);
  const transport = mcpTransportSchema.parse({ type: "stdio", manifest: { ...manifest, values: { deeds } } });
  await world.sql(
    `update mcp_server set transport = $3, pinned_identity = jsonb_set(pinned_identity, '{reached}', to_jsonb($4::text))
     where workspace_id = $1 and id = $2`,
    [workspace, TILL.server, JSON.stringify(transport), computeReachedDigest(transport, NO_ACCESS)],
  );
};

export const setPolicy = async ({ sql, desk: { workspace } }: World, approvals: "write" | "graph"): Promise<void> => {
  await sql("update approval_policy set approvals = $2 where workspace_id = $1", [workspace, approvals]);
};
