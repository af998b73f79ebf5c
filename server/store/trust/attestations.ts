import { z } from "zod";
import { signedHeadSchema, type SignedHead } from "@/lib/engine/ledger/head-statement";
import type { StoredRecord } from "@/lib/engine/ledger/stored-record";
import { getDatabase, getPool, scopeToWorkspace } from "@/server/db/client";
import { queryRow } from "@/server/store/sql/rows";

/** Newest signed head, or null. */
export const findNewestAttestation = async (workspaceId: string, runId: string): Promise<SignedHead | null> => {
  const row = await scopeToWorkspace(workspaceId).runAttestation.findFirst({
    where: { workspaceId, runId },
    orderBy: [{ version: "desc" }, { at: "desc" }],
  });

  return (
    row &&
    signedHeadSchema.parse({
      statement: { workspace: workspaceId, run: runId, version: row.version, head: row.head, at: row.at.getTime() },
      kid: row.kid,
      signature: row.signature,
    })
  );
};

const groundRow = z.object({
  version: z.number().int(),
  head: z.string(),
  seq: z.number().int().nullable(),
  body: z.string().nullable(),
  digest: z.string().nullable(),
  kid: z.string().nullable(),
  signature: z.string().nullable(),
  attested: z.boolean(),
  broken: z.boolean(),
  knownDigest: z.string().nullable(),
});

/** Includes whether everything signed or logged still exists. */
const GROUND = `
select run.version, run.head, r.seq, r.body, r.digest, r.kid, r.signature,
  exists (select 1 from run_attestation a where a.run_id = run.id and a.version = run.version and a.head = run.head) as attested,
  exists (select 1 from run_attestation a left join ledger_record l on l.run_id = a.run_id and l.seq = a.version - 1
          where a.run_id = run.id and l.digest is distinct from a.head)
  or exists (select 1 from log_leaf g left join ledger_record l on l.run_id = g.run_id and l.seq = g.seq
             where g.run_id = run.id and l.digest is distinct from g.digest) as broken,
  (select k.digest from ledger_record k where k.run_id = run.id and k.seq = $3::int - 1) as "knownDigest"
from run left join ledger_record r on r.run_id = run.id and r.seq = run.version - 1
where run.workspace_id = $1 and run.id = $2`;

export type AttestGround = {
  readonly version: number;
  readonly head: string;
  readonly last: StoredRecord | null;
  readonly attested: boolean;
  /** A signed or logged record is missing or differs. */
  readonly broken: boolean;
  /** At the requested length. */
  readonly knownDigest: string | null;
};

/** Basis of an attestation; null for a missing run. @param knownVersion known length */
export const attestGround = async (workspaceId: string, runId: string, knownVersion: number | null): Promise<AttestGround | null> => {
  const ground = await queryRow(getPool(), groundRow, { text: GROUND, values: [workspaceId, runId, knownVersion] });
  if (!ground) return null;
  const { version, head, seq, body, digest, kid, signature, attested, broken, knownDigest } = ground;
  const isThere = seq !== null && body !== null && digest !== null && kid !== null && signature !== null;

  return { version, head, attested, broken, knownDigest, last: isThere ? { seq, body, digest, kid, signature } : null };
};

export const keepAttestation = async ({ statement, kid, signature }: SignedHead): Promise<void> => {
  const { workspace: workspaceId, run: runId, version, head, at } = statement;
  await getDatabase().runAttestation.createMany({
    data: { workspaceId, runId, version, head, at: new Date(at), kid, signature },
    skipDuplicates: true,
  });
};
