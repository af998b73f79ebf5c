/** Passkeys: rows, and the records that prove ownership. */
import type pg from "pg";
import { z } from "zod";
import type { Passkey } from "@/lib/engine/approvals/assertion";
import { PASSKEY_EVENTS } from "@/lib/engine/events/workspace";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import type { StoredRecord } from "@/lib/engine/ledger/stored-record";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { runInWorkspace, getPool, scopeToWorkspace } from "@/server/db/client";

export type ListedPasskey = {
  readonly credentialId: string;
  readonly rpId: string;
  /** Null: not stored then. */
  readonly origin: string | null;
  readonly label: string;
  /** ms since 1970 */
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
  readonly revokedAt: number | null;
};

/** Newest first, including revoked ones. */
export const listPasskeys = async (workspaceId: string, userId: string): Promise<ListedPasskey[]> => {
  const rows = await scopeToWorkspace(workspaceId).passkey.findMany({
    where: { workspaceId, userId },
    orderBy: [{ createdAt: "desc" }, { credentialId: "asc" }],
    take: 200,
  });

  return rows.map((row) => ({
    credentialId: row.credentialId,
    rpId: row.rpId,
    origin: row.origin,
    label: row.label,
    createdAt: row.createdAt.getTime(),
    lastUsedAt: row.lastUsedAt?.getTime() ?? null,
    revokedAt: row.revokedAt?.getTime() ?? null,
  }));
};

/** @returns false when not this person's */
export const renamePasskey = async (workspaceId: string, userId: string, credentialId: string, label: string): Promise<boolean> => {
  const { count } = await scopeToWorkspace(workspaceId).passkey.updateMany({
    where: { workspaceId, userId, credentialId },
    data: { label },
  });

  return count > 0;
};

export type PasskeyChallenge = { readonly challenge: string; readonly rpId: string; readonly origin: string };

/** Replaces the registration challenge. @param expiresAt ms since 1970 */
export const keepChallenge = async (workspaceId: string, userId: string, kept: PasskeyChallenge, expiresAt: number): Promise<void> => {
  const row = { ...kept, expiresAt: new Date(expiresAt) };
  await scopeToWorkspace(workspaceId).passkeyChallenge.upsert({
    where: { workspaceId_userId: { workspaceId, userId } },
    create: { workspaceId, userId, ...row },
    update: row,
  });
};

/** Takes the challenge once, before it expires. */
export const takeChallenge = (workspaceId: string, userId: string, now: number): Promise<PasskeyChallenge | null> =>
  runInWorkspace(workspaceId, async (tx) => {
    const [row] = await tx.passkeyChallenge.findMany({ where: { workspaceId, userId } });
    const { count } = await tx.passkeyChallenge.deleteMany({ where: { workspaceId, userId, challenge: row?.challenge ?? "" } });

    // Of concurrent deletions, one succeeds.
    return row && count === 1 && row.expiresAt.getTime() >= now ? { challenge: row.challenge, rpId: row.rpId, origin: row.origin } : null;
  });

const recordSchema = z.object({ seq: z.number(), body: z.string(), digest: z.string(), kid: z.string(), signature: z.string() });

/** Canonical JSON has one spelling; these records hold no free text. */
const MARKS = Object.keys(PASSKEY_EVENTS).map((type) => `"type":"${type}"`);

/** As owners or as permitting admins. */
const recordsAbout = async (workspaceId: string, people: readonly string[]): Promise<StoredRecord[]> => {
  const found = await runInWorkspace(workspaceId, (tx) =>
    tx.ledgerRecord.findMany({
      where: {
        workspaceId,
        runId: getWorkspaceLedgerId(workspaceId),
        AND: [
          { OR: MARKS.map((mark) => ({ body: { contains: mark } })) },
          { OR: people.map((user) => ({ body: { contains: `"user":"${user}"` } })) },
        ],
      },
      orderBy: { seq: "asc" },
      select: { seq: true, body: true, digest: true, kid: true, signature: true },
    }),
  );

  return z.array(recordSchema).parse(found);
};

const peopleIn = (records: readonly StoredRecord[], pattern: RegExp): string[] =>
  records.flatMap(({ body }) => [...body.matchAll(pattern)].map(([, user]) => user ?? ""));

/** Records proving the passkeys of a ledger's decisions. */
export const listPasskeyRecords = async (workspaceId: string, records: readonly StoredRecord[]): Promise<StoredRecord[]> => {
  const signed = records.filter(({ body }) => body.includes('"passkey":{'));
  let people = new Set(peopleIn(signed, /"user":"([0-9a-f-]{36})"/g));
  for (let found: StoredRecord[] = []; people.size > 0;) {
    found = await recordsAbout(workspaceId, [...people]);
    // A permission rests on the admin's own passkeys.
    const more = new Set([...people, ...peopleIn(found, /"principal":\{[^}]*"id":"([0-9a-f-]{36})"/g)]);
    if (more.size === people.size) return found;
    people = more;
  }

  return [];
};

/** Projects a record's passkey. Runner's role only. */
export const projectPasskey = async (
  client: pg.PoolClient,
  { workspace, seq, at, control }: LedgerRecord,
  label: string,
): Promise<void> => {
  for (const event of control) {
    if (event.type === "passkey_registered") {
      await client.query(
        `insert into passkey (workspace_id, credential_id, user_id, public_key, rp_id, origin, label, created_at, record_seq)
         values ($1, $2, $3, $4, $5, $6, $7, to_timestamp($8::double precision / 1000), $9)`,
        [workspace, event.credential_id, event.user, event.public_key, event.rp_id, event.origin ?? null, label, at, seq],
      );
    }
    if (event.type === "passkey_revoked") {
      await client.query(
        `update passkey set revoked_at = to_timestamp($3::double precision / 1000), revoked_seq = $4
         where workspace_id = $1 and credential_id = $2 and revoked_at is null`,
        [workspace, event.credential_id, at, seq],
      );
    }
  }
};

/** A revoked row signs nothing, whatever its record. */
export const isRevokedRow = async (workspaceId: string, credentialId: string): Promise<boolean> => {
  const { rowCount } = await getPool().query(
    "select 1 from passkey where workspace_id = $1 and credential_id = $2 and revoked_at is not null",
    [workspaceId, credentialId],
  );

  return rowCount !== 0;
};

/** Notes a use. @param at ms since 1970 */
export const markUsed = async (workspaceId: string, { credential_id }: Pick<Passkey, "credential_id">, at: number): Promise<void> => {
  await getPool().query(
    `update passkey set last_used_at = greatest(coalesce(last_used_at, 'epoch'), to_timestamp($3::double precision / 1000))
     where workspace_id = $1 and credential_id = $2`,
    [workspaceId, credential_id, at],
  );
};
