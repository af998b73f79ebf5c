/**
 * The one write of a run: compare-and-swap of the head, the record, its cells, the inbox's row, the command's answer, cases
 * and the trust log's rows, in one statement and so in one round trip and one transaction. If version, head or lease epoch have
 * moved, the `head` part finds no row, nothing else is inserted, and the count is 0.
 *
 * $1 workspace $2 run $3 expected version $4 expected head $5 lease epoch $6 new head $7 status $8 current node
 * $9 refusals $10 tokens $11 micro-USD $12 wake at (ms or null) $13 at (ms) $14 body $15 kid $16 signature
 * $17..$22 cells as arrays: index, path, label, commitment, sealed, wrapped key
 * $23 opened gate as JSON or null $24 gate that was decided about or is over as JSON or null $25 command id or null $26 its status $27 its outcome
 * $28 the trust log's rows as JSON or null
 * $29 what happened to cases as JSON or null: `opened`, `designated`, `verdicts`, `closed`
 */
export const APPEND_RECORD = `
WITH head AS (
  UPDATE run SET version = version + 1, head = $6, status = $7, current_node = $8, refusals = $9, total_tokens = $10,
    total_micro_usd = $11, wake_at = to_timestamp($12::double precision / 1000),
    updated_at = to_timestamp($13::double precision / 1000)
  WHERE workspace_id = $1::uuid AND id = $2::uuid AND version = $3 AND head = $4 AND lease_epoch = $5
  RETURNING id
), record AS (
  INSERT INTO ledger_record (workspace_id, run_id, seq, body, digest, kid, signature)
  SELECT $1::uuid, id, $3, $14, $6, $15, $16 FROM head
), cells AS (
  INSERT INTO cell (workspace_id, run_id, seq, index, path, label, commitment, sealed, wrapped_key)
  SELECT $1::uuid, head.id, $3, c.index, c.path, c.label, c.commitment, c.sealed, c.wrapped_key
  FROM head, unnest($17::int[], $18::text[], $19::text[], $20::text[], $21::bytea[], $22::bytea[])
    AS c(index, path, label, commitment, sealed, wrapped_key)
), opened AS (
  INSERT INTO approval (workspace_id, id, run_id, node, reason, prompt, role, transition_digest, status, opened_at, expires_at,
    authority, agent, steered, signature, barred, server, tool)
  SELECT $1::uuid, g.id, head.id, g.node, g.reason, g.prompt, g.role, g.transition_digest, 'open',
    to_timestamp(g.opened_at::double precision / 1000), to_timestamp(g.expires_at::double precision / 1000),
    g.authority, g.agent, g.steered, g.signature, g.barred, g.server, g.tool
  FROM head, jsonb_to_record($23::jsonb) AS g(id uuid, node text, reason text, prompt text, role text,
    transition_digest text, opened_at bigint, expires_at bigint, authority text, agent text, steered boolean, signature text,
    barred uuid[], server text, tool text)
  WHERE $23::jsonb IS NOT NULL
), resolved AS (
  UPDATE approval SET status = coalesce(g.outcome, approval.status),
    resolved_at = CASE WHEN g.outcome IS NULL THEN approval.resolved_at ELSE to_timestamp($13::double precision / 1000) END,
    barred = CASE WHEN g.decider IS NULL THEN approval.barred ELSE approval.barred || g.decider END
  FROM head, jsonb_to_record($24::jsonb) AS g(approval_id uuid, outcome text, decider uuid)
  WHERE $24::jsonb IS NOT NULL AND approval.id = g.approval_id AND approval.run_id = head.id
), answered AS (
  UPDATE command SET status = $26, outcome = $27::jsonb, decided_at = to_timestamp($13::double precision / 1000)
  FROM head WHERE $25::uuid IS NOT NULL AND command.id = $25::uuid
), trust AS (
  INSERT INTO trust_event (workspace_id, run_id, seq, index, at, type, node, principal, path, detail)
  SELECT $1::uuid, head.id, $3, t.index, to_timestamp($13::double precision / 1000), t.type, t.node, t.principal, t.path, t.detail
  FROM head, jsonb_to_recordset($28::jsonb) AS t(index int, type text, node text, principal text, path text, detail text)
), cases AS (
  INSERT INTO review_case (workspace_id, id, run_id, node, subject_digest, quorum, producers, status, opened_at, expires_at)
  SELECT $1::uuid, c.id, head.id, c.node, c.subject_digest, c.quorum, c.producers, c.status,
    to_timestamp(c.opened_at::double precision / 1000), to_timestamp(c.expires_at::double precision / 1000)
  FROM head, jsonb_to_recordset($29::jsonb -> 'opened') AS c(id uuid, node text, subject_digest text, quorum int, producers text[],
    status text, opened_at bigint, expires_at bigint)
), designated AS (
  INSERT INTO review_designation (workspace_id, case_id, reviewer, principal, seats)
  SELECT $1::uuid, d.case_id, d.reviewer, d.principal, d.seats
  FROM head, jsonb_to_recordset($29::jsonb -> 'designated') AS d(case_id uuid, reviewer int, principal text, seats int)
), verdicts AS (
  INSERT INTO review_verdict (workspace_id, case_id, reviewer, designated, principal, model, subject_digest, verdict, at)
  SELECT $1::uuid, v.case_id, v.reviewer, v.designated, v.principal, v.model, v.subject_digest, v.verdict,
    to_timestamp($13::double precision / 1000)
  FROM head, jsonb_to_recordset($29::jsonb -> 'verdicts') AS v(case_id uuid, reviewer int, designated text, principal text,
    model text, subject_digest text, verdict text)
), closed AS (
  UPDATE review_case SET status = c.outcome, closed_at = to_timestamp($13::double precision / 1000)
  FROM head, jsonb_to_recordset($29::jsonb -> 'closed') AS c(case_id uuid, outcome text)
  WHERE review_case.id = c.case_id AND review_case.run_id = head.id
)
SELECT count(*)::int AS moved FROM head`;
