/** Ends sessions, under the runner's role. */
import type pg from "pg";
import { z } from "zod";

export type Ending = {
  readonly userId: string;
  /** Null: all. */
  readonly session: string | null;
  /** The exception among all. */
  readonly keep: string | null;
};

const versionSchema = z.object({ version: z.number().int() });

/** Tells whether old cookies must be invalidated. */
export const raisesVersion = ({ session, keep }: Ending): boolean => session === null && keep === null;

/** Ids of ending sessions, newest first. */
export const listEndingSessions = async (client: pg.PoolClient, { userId, session, keep }: Ending): Promise<readonly string[]> => {
  const { rows } = await client.query<{ id: string }>(
    `select id::text as id from session where user_id = $1 and ($2::uuid is null or id = $2) and ($3::uuid is null or id <> $3)
     order by created_at desc`,
    [userId, session, keep],
  );

  return rows.map(({ id }) => id);
};

/** The person's session version, or null. */
export const getSessionVersion = async (client: pg.PoolClient, userId: string): Promise<number | null> => {
  const { rows } = await client.query("select session_version as version from app_user where id = $1", [userId]);

  return rows[0] === undefined ? null : versionSchema.parse(rows[0]).version;
};

/** Ends a person's sessions. */
export const endSessions = async (client: pg.PoolClient, ending: Ending, atMs: number): Promise<void> => {
  const { userId, session, keep } = ending;
  await client.query(
    `update session set revoked_at = to_timestamp($4::double precision / 1000)
     where user_id = $1 and ($2::uuid is null or id = $2) and ($3::uuid is null or id <> $3) and revoked_at is null`,
    [userId, session, keep, atMs],
  );
  if (raisesVersion(ending)) await client.query("update app_user set session_version = session_version + 1 where id = $1", [userId]);
};
