/** Accounts and sessions. Runner's role only. */
import { z } from "zod";
import { getPool } from "@/server/db/client";
import { SESSION_LIFE_MS, SESSION_KEPT_MS } from "@/server/store/people/sessions";

const accountSchema = z.object({
  id: z.string(),
  password_hash: z.string().nullable(),
  demo: z.boolean(),
  session_version: z.number().int(),
  workspace_id: z.string().nullable(),
});
export type Account = z.infer<typeof accountSchema>;

/** The oldest membership: people have one so far. */
const findAccount = async (where: "email" | "id", value: string): Promise<Account | null> => {
  const { rows } = await getPool().query(
    `select u.id, u.password_hash, u.demo, u.session_version, m.workspace_id from app_user u
     left join membership m on m.user_id = u.id left join workspace w on w.id = m.workspace_id
     where u.${where} = $1 order by w.created_at limit 1`,
    [value],
  );

  return rows[0] === undefined ? null : accountSchema.parse(rows[0]);
};

/** @param email as typed */
export const findAccountByEmail = (email: string): Promise<Account | null> => findAccount("email", email.trim().toLowerCase());

export const findAccountById = (id: string): Promise<Account | null> => findAccount("id", id);

const hashSchema = z.object({ password_hash: z.string().nullable() });

/** Returns the hash, or null. */
export const readPasswordHash = async (id: string): Promise<string | null> => {
  const { rows } = await getPool().query("select password_hash from app_user where id = $1", [id]);

  return rows[0] === undefined ? null : hashSchema.parse(rows[0]).password_hash;
};

export type StoredSession = {
  readonly id: string;
  readonly userId: string;
  readonly publicKey: string;
  readonly address: string;
  readonly userAgent: string;
  /** Times: ms since 1970. */
  readonly createdAtMs: number;
  readonly provedAtMs: number | null;
};

const TIME = (nth: number): string => `to_timestamp($${nth}::double precision / 1000)`;

/** Adds a session and deletes the person's old ones. */
export const insertSession = async ({ createdAtMs, provedAtMs, ...session }: StoredSession): Promise<void> => {
  const { id, userId, publicKey, address, userAgent } = session;
  await getPool().query(`delete from session where user_id = $1 and created_at < ${TIME(2)}`, [userId, createdAtMs - SESSION_KEPT_MS]);
  await getPool().query(
    `insert into session (id, user_id, public_key, address, user_agent, created_at, seen_at, proved_at)
     values ($1, $2, $3, $4, $5, ${TIME(6)}, ${TIME(6)}, ${TIME(7)})`,
    [id, userId, publicKey, address, userAgent, createdAtMs, provedAtMs],
  );
};

/** Public key of the person's open session; null: none, or no key. */
export const openSessionKey = async (id: string, userId: string, nowMs: number): Promise<string | null> => {
  const { rows } = await getPool().query<{ public_key: string | null }>(
    `select public_key from session where id = $1 and user_id = $2 and revoked_at is null and created_at > ${TIME(3)}`,
    [id, userId, nowMs - SESSION_LIFE_MS],
  );

  return rows[0]?.public_key ?? null;
};

export const proveSession = async (id: string, atMs: number): Promise<void> => {
  await getPool().query(`update session set proved_at = ${TIME(2)} where id = $1 and revoked_at is null`, [id, atMs]);
};
