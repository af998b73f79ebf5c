/** Joining data, under the runner's role. */
import type pg from "pg";
import { z } from "zod";
import type { Identity } from "@/lib/people/identity";
import type { NewPerson } from "@/lib/people/membership";
import { roleSchema } from "@/lib/roles";

/** Serialises founding: there is one demo. */
export const holdDemo = async (client: pg.PoolClient): Promise<void> => {
  await client.query("select pg_advisory_xact_lock(hashtext('countersign.demo'))");
};

/** The demo workspace, or null. */
export const findDemoWorkspaceId = async (client: pg.PoolClient): Promise<string | null> => {
  const { rows } = await client.query<{ id: string }>("select id from workspace where demo order by created_at limit 1");

  return rows[0]?.id ?? null;
};

/** Uses up a set-up link. @returns false when not open */
export const useSetupLink = async (client: pg.PoolClient, hash: string, atMs: number): Promise<boolean> => {
  const at = "to_timestamp($2::double precision / 1000)";
  const { rowCount } = await client.query(
    `update setup_token set used_at = ${at} where hash = $1 and used_at is null and expires_at > ${at}`,
    [hash, atMs],
  );

  return rowCount === 1;
};

export const insertWorkspace = async (client: pg.PoolClient, id: string, name: string, demo: boolean): Promise<void> => {
  await client.query("insert into workspace (id, name, demo) values ($1, $2, $3) on conflict (id) do nothing", [id, name, demo]);
};

/** Returns which addresses have accounts. */
export const listTakenEmails = async (client: pg.PoolClient, emails: readonly string[]): Promise<ReadonlySet<string>> => {
  const { rows } = await client.query<{ email: string }>("select email from app_user where email = any ($1)", [emails]);

  return new Set(rows.map(({ email }) => email));
};

type Account = Omit<NewPerson, "role"> & { readonly demo: boolean };

export const insertAccount = async (client: pg.PoolClient, { id, name, email, password_hash: hash, demo }: Account): Promise<void> => {
  await client.query("insert into app_user (id, name, email, password_hash, demo) values ($1, $2, $3, $4, $5)", [
    id,
    name,
    email,
    hash,
    demo,
  ]);
};

export const insertMembership = async (
  client: pg.PoolClient,
  workspaceId: string,
  { id, role, auditor }: { readonly id: string; readonly role: string; readonly auditor: boolean },
): Promise<void> => {
  await client.query("insert into membership (workspace_id, user_id, role, auditor) values ($1, $2, $3, $4)", [
    workspaceId,
    id,
    role,
    auditor,
  ]);
};

const inviteSchema = z.object({ id: z.string(), email: z.string(), role: roleSchema, auditor: z.boolean(), hash: z.string() });
export type FoundInvite = z.infer<typeof inviteSchema>;

/** Newest open invite by token hash or verified address. */
export const openInvite = async (
  client: pg.PoolClient,
  workspaceId: string,
  named: { readonly hash: string } | { readonly email: string },
  atMs: number,
): Promise<FoundInvite | null> => {
  const { rows } = await client.query(
    `select id, email, role, auditor, hash from invite
     where workspace_id = $1 and used_at is null and revoked_at is null and expires_at > to_timestamp($2::double precision / 1000)
       and (hash = $3 or email = $4) order by created_at desc limit 1`,
    [workspaceId, atMs, "hash" in named ? named.hash : null, "email" in named ? named.email : null],
  );

  return rows[0] === undefined ? null : inviteSchema.parse(rows[0]);
};

/** Marks an invite as used. */
export const useInvite = async (client: pg.PoolClient, inviteId: string, userId: string, atMs: number): Promise<void> => {
  await client.query("update invite set used_at = to_timestamp($3::double precision / 1000), used_by = $2 where id = $1", [
    inviteId,
    userId,
    atMs,
  ]);
};

export const insertIdentity = async (client: pg.PoolClient, { issuer, subject }: Identity, userId: string): Promise<void> => {
  await client.query("insert into identity (issuer, subject, user_id) values ($1, $2, $3)", [issuer, subject, userId]);
};

export const replacePassword = async (client: pg.PoolClient, userId: string, hash: string): Promise<void> => {
  await client.query("update app_user set password_hash = $2 where id = $1", [userId, hash]);
};
