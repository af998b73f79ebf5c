/**
 * What machines tell each other about signing keys through the database: that a key has handed over. Anybody who writes the
 * database can write here, so a hint is believed only when both keys signed it, and it never makes a key known by itself.
 */
import { z } from "zod";
import { signedHandoverSchema, type SignedHandover } from "@/lib/engine/ledger/handover";
import { anchorOf, extendedBy } from "@/lib/engine/ledger/trust-anchor";
import { pool } from "@/server/db/client";

/** A key as whoever holds it knows it. */
export type OwnKey = { readonly kid: string; readonly publicKey: string };

export type KeyHint = OwnKey & {
  /** ms since 1970 */
  readonly knownSince: number;
  /** Null also when what is stored is no hand-over. */
  readonly handover: SignedHandover | null;
};

const rowSchema = z.object({ kid: z.string(), public_key: z.string(), created_at: z.date(), handover: z.unknown() });

const COLUMNS = "kid, public_key, created_at, handover";

const hintOf = (row: unknown): KeyHint => {
  const { kid, public_key: publicKey, created_at: createdAt, handover } = rowSchema.parse(row);

  return { kid, publicKey, knownSince: createdAt.getTime(), handover: signedHandoverSchema.safeParse(handover).data ?? null };
};

/** All hints, oldest first; none of them verified. */
export const listKeyHints = async (): Promise<readonly KeyHint[]> => {
  const { rows } = await pool().query(`select ${COLUMNS} from key_hint order by created_at, kid limit 1000`);

  return rows.map(hintOf);
};

/** What the database says that a key signed when it handed over. `believed` null: nothing, or nothing that both keys signed. */
export type Hint = { readonly stored: SignedHandover | null; readonly believed: SignedHandover | null };

/** The hint about this key, and whether it is to be believed. What either key did not sign stops no runner. */
export const hintAbout = async ({ kid, publicKey }: OwnKey): Promise<Hint> => {
  const { rows } = await pool().query(`select ${COLUMNS} from key_hint where kid = $1`, [kid]);
  const stored = rows[0] === undefined ? null : hintOf(rows[0]).handover;
  const { handovers } = await extendedBy(anchorOf({ kid, public_key: publicKey, since: 0 }), stored ? [stored] : []);

  return { stored, believed: handovers[0] ?? null };
};

/** Tells other machines that a key has handed over. */
export const hintHandover = async ({ kid, publicKey }: OwnKey, handover: SignedHandover): Promise<void> => {
  await pool().query(
    `insert into key_hint (kid, public_key, handover) values ($1, $2, $3::jsonb)
     on conflict (kid) do update set public_key = excluded.public_key, handover = excluded.handover`,
    [kid, publicKey, JSON.stringify(handover)],
  );
};

/** Removes the hints about all other keys than these: an operator has looked at them. @returns how many there were */
export const dropOtherHints = async (kids: readonly string[]): Promise<number> => {
  const { rowCount } = await pool().query("delete from key_hint where not (kid = any($1))", [kids]);

  return rowCount ?? 0;
};
