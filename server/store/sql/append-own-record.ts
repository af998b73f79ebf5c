/** $1 workspace $2 its ledger $3 seq $4 body $5 digest $6 kid $7 signature $8 at (ms) $9 trust log rows (JSON or null) */
export const APPEND_OWN_RECORD = `
WITH record AS (
  INSERT INTO ledger_record (workspace_id, run_id, seq, body, digest, kid, signature)
  VALUES ($1::uuid, $2::uuid, $3, $4, $5, $6, $7) RETURNING run_id
)
INSERT INTO trust_event (workspace_id, run_id, seq, index, at, type, node, principal, path, detail)
SELECT $1::uuid, record.run_id, $3, t.index, to_timestamp($8::double precision / 1000), t.type, t.node, t.principal, t.path, t.detail
FROM record, jsonb_to_recordset($9::jsonb) AS t(index int, type text, node text, principal text, path text, detail text)`;
