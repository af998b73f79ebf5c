/** Handover hints between machines. Forgeable, so both keys must sign, and no hint introduces a key. */
import { z } from "zod";
import { signedHandoverSchema, type SignedHandover } from "@/lib/engine/ledger/handover";
import { createAnchor, extendAnchor } from "@/lib/engine/ledger/trust-anchor";
import { getPool } from "@/server/db/client";

export type OwnKey = { readonly kid: string; readonly publicKey: string };

export type KeyHint = OwnKey & {
  /** ms since 1970 */
  readonly knownSince: number;
  /** Null also when malformed. */
  readonly handover: SignedHandover | null;
};

const rowSchema = z.object({ kid: z.string(), public_key: z.string(), created_at: z.date(), handover: z.unknown() });

const COLUMNS = "kid, public_key, created_at, handover";

const hintOf = (row: unknown): KeyHint => {
  const { kid, public_key: publicKey, created_at: createdAt, handover } = rowSchema.parse(row);

  return { kid, publicKey, knownSince: createdAt.getTime(), handover: signedHandoverSchema.safeParse(handover).data ?? null };
};

/** All hints, oldest first, unverified. */
export const listKeyHints = async (): Promise<readonly KeyHint[]> => {
  const { rows } = await getPool().query(`select ${COLUMNS} from key_hint order by created_at, kid limit 1000`);

  return rows.map(hintOf);
};

/** `believed`: signed by both keys. */
export type Hint = { readonly stored: SignedHandover | null; readonly believed: SignedHandover | null };

/** This key's hint; unsigned ones stop no runner. */
export const hintAbout = async ({ kid, publicKey }: OwnKey): Promise<Hint> => {
  const { rows } = await getPool().query(`select ${COLUMNS} from key_hint where kid = $1`, [kid]);
  const stored = rows[0] === undefined ? null : hintOf(rows[0]).handover;
  const { handovers } = await extendAnchor(createAnchor({ kid, public_key: publicKey, since: 0 }), stored ? [stored] : []);

  return { stored, believed: handovers[0] ?? null };
};

/** Announces a key's handover. */
export const hintHandover = async ({ kid, publicKey }: OwnKey, handover: SignedHandover): Promise<void> => {
  await getPool().query(
    `insert into key_hint (kid, public_key, handover) values ($1, $2, $3::jsonb)
     on conflict (kid) do update set public_key = excluded.public_key, handover = excluded.handover`,
    [kid, publicKey, JSON.stringify(handover)],
  );
};

/** Removes other keys' hints. @returns the number */
export const dropOtherHints = async (kids: readonly string[]): Promise<number> => {
  const { rowCount } = await getPool().query("delete from key_hint where not (kid = any($1))", [kids]);

  return rowCount ?? 0;
};
