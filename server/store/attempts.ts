/** The ledger of a workspace itself. Only the runner's role may call what writes. */
import { z } from "zod";
import { canonicalJson, type Json } from "@/lib/json";
import { hexDigestSchema, type HexDigest } from "@/lib/hash";
import type { SignedRecord } from "@/lib/engine/record";
import { transaction } from "@/server/db/client";

const endSchema = z.object({ version: z.number().int(), head: hexDigestSchema });
export type LedgerEnd = { readonly version: number; readonly head: HexDigest };

/**
 * Appends one record about a command and answers the command with it, both or neither. Nothing happens when the command
 * has its answer already.
 * @param sign makes the record that comes next
 * @param ledgerId of the workspace's own ledger
 */
export const appendAttempt = (
  workspaceId: string,
  ledgerId: string,
  commandId: string,
  sign: (end: LedgerEnd | null) => SignedRecord,
): Promise<void> =>
  transaction(async (client) => {
    // Two runners that find the same command take turns, and so do all records of one ledger.
    await client.query("select pg_advisory_xact_lock(hashtextextended('countersign.attempts ' || $1, 0))", [workspaceId]);
    const open = await client.query("select 1 from command where workspace_id = $1 and id = $2 and status = 'pending'", [
      workspaceId,
      commandId,
    ]);
    if (open.rowCount === 0) return;
    const last = await client.query(
      "select seq + 1 as version, digest as head from ledger_record where workspace_id = $1 and run_id = $2 order by seq desc limit 1",
      [workspaceId, ledgerId],
    );
    const { record, digest, kid, signature } = sign(last.rows[0] === undefined ? null : endSchema.parse(last.rows[0]));
    const outcome: Json = { seq: record.seq, refusal: record.refusal };
    await client.query(
      "insert into ledger_record (workspace_id, run_id, seq, body, digest, kid, signature) values ($1, $2, $3, $4, $5, $6, $7)",
      [workspaceId, ledgerId, record.seq, canonicalJson(record), digest, kid, signature],
    );
    await client.query(
      `update command set status = 'refused', outcome = $3::jsonb, decided_at = to_timestamp($4::double precision / 1000)
       where workspace_id = $1 and id = $2`,
      [workspaceId, commandId, JSON.stringify(outcome), record.at],
    );
  });
