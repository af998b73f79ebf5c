/**
 * The only write of runs: compare-and-swap of each head, with its records' rows. Where version, head or epoch moved, nothing is inserted
 * and `ord` is not returned. $1 runs (JSON array), $2 to $7 record columns, $8 to $15 cell columns: arrays and lines parse once, nested
 * JSON at every level. Returns whether another command waits. `APPEND_PLAIN` omits costly parts that most records lack. No condition can
 * be hashed: plans made for few runs would read all. A record with further rows ($16) is its run's only one: a statement cannot see its own
 * inserts.
 */
const ALWAYS = `
WITH head AS (
  UPDATE run SET version = run.version + w.records, head = w.digest, status = w.status, current_node = w.current_node, refusals = w.refusals,
    total_tokens = w.total_tokens, total_micro_usd = w.total_micro_usd, reserved_micro_usd = w.reserved_micro_usd,
    budget_percent = w.budget_percent,
    ended_at = CASE WHEN w.ended THEN coalesce(run.ended_at, to_timestamp(w.at / 1000)) END,
    wake_at = to_timestamp(w.wake_at / 1000), updated_at = to_timestamp(w.at / 1000)
  FROM json_to_recordset($1::json) AS w(ord int, workspace uuid, run uuid, version int, parent text, epoch int, records int, digest text,
    status text, current_node text, refusals int, total_tokens int, total_micro_usd bigint, reserved_micro_usd bigint,
    budget_percent int, ended boolean,
    wake_at double precision, at double precision)
  WHERE run.id = any (array[w.run]) AND run.workspace_id IS NOT DISTINCT FROM w.workspace AND run.version IS NOT DISTINCT FROM w.version
    AND run.head IS NOT DISTINCT FROM w.parent AND run.lease_epoch IS NOT DISTINCT FROM w.epoch
  RETURNING w.ord, w.workspace, w.run, run.graph_id, run.initiator_id
), record AS (
  INSERT INTO ledger_record (workspace_id, run_id, seq, body, digest, kid, signature)
  SELECT head.workspace, head.run, r.seq, r.body, r.digest, r.kid, r.signature
  FROM head JOIN unnest($2::int[], $3::int[], string_to_array($4::text, E'\\n'), string_to_array($5::text, E'\\n'),
      string_to_array($6::text, E'\\n'), string_to_array($7::text, E'\\n'))
    AS r(ord, seq, body, digest, kid, signature) ON r.ord = head.ord
), cells AS (
  INSERT INTO cell (workspace_id, run_id, seq, index, path, label, commitment, sealed, wrapped_key)
  SELECT head.workspace, head.run, c.seq, c.index, c.path, c.label, c.commitment, c.sealed, c.wrapped_key
  FROM head JOIN unnest($8::int[], $9::int[], $10::int[], $11::text[], string_to_array($12::text, E'\\n'),
      string_to_array($13::text, E'\\n'), $14::bytea[], $15::bytea[])
    AS c(ord, seq, index, path, label, commitment, sealed, wrapped_key) ON c.ord = head.ord
)`;

const SOMETIMES = `entry AS MATERIALIZED (
  SELECT head.workspace, head.run, head.graph_id, head.initiator_id, to_timestamp(e.moment / 1000) AS at, e.*
  FROM head JOIN json_to_recordset($16::json) AS e(ord int, seq int, moment double precision, opened json, moved json, command uuid,
    command_status text, outcome jsonb, trust json, cases json, mentions json, usage json,
    tools json) ON e.ord = head.ord
), opened AS (
  INSERT INTO approval (workspace_id, id, run_id, node, reason, prompt, role, transition_digest, status, opened_at, expires_at,
    authority, risk, signals, agent, steered, signature, barred, named, named_groups,
    named_people, server, tool)
  SELECT entry.workspace, g.id, entry.run, g.node, g.reason, g.prompt, g.role, g.transition_digest, 'open',
    to_timestamp(g.opened_at::double precision / 1000), to_timestamp(g.expires_at::double precision / 1000),
    g.authority, g.risk, g.signals, g.agent, g.steered, g.signature, g.barred,
    g.named, g.named_groups, g.named_people, g.server, g.tool
  FROM entry, json_to_record(entry.opened) AS g(id uuid, node text, reason text, prompt text, role text,
    transition_digest text, opened_at bigint, expires_at bigint, authority text, risk text, signals text[],
    agent text, steered boolean, signature text, barred uuid[], named boolean, named_groups text[], named_people uuid[], server text,
    tool text)
  WHERE entry.opened IS NOT NULL
), resolved AS (
  UPDATE approval SET status = coalesce(g.outcome, approval.status),
    resolved_at = CASE WHEN g.outcome IS NULL THEN approval.resolved_at ELSE entry.at END,
    barred = CASE WHEN g.decider IS NULL THEN approval.barred ELSE approval.barred || g.decider END,
    escalated_to = coalesce(g.escalated, approval.escalated_to),
    escalated_group = CASE WHEN g.escalated IS NULL THEN approval.escalated_group ELSE g.escalated_group END,
    named_groups = CASE WHEN g.widened IS NULL THEN approval.named_groups ELSE approval.named_groups || g.widened END,
    escalated_at = CASE WHEN g.escalated IS NULL THEN approval.escalated_at ELSE entry.at END
  FROM entry, json_to_recordset(entry.moved) AS g(approval_id uuid, outcome text, decider uuid, escalated text,
    escalated_group text, widened text)
  WHERE entry.moved IS NOT NULL AND approval.id = g.approval_id AND approval.run_id = entry.run
), answered AS (
  UPDATE command SET status = entry.command_status, outcome = entry.outcome, decided_at = entry.at
  FROM entry WHERE entry.command IS NOT NULL AND command.id = entry.command
), mentioned AS (
  INSERT INTO mention (workspace_id, id, run_id, seq, approval_id, user_id, by_id, created_at)
  SELECT entry.workspace, gen_random_uuid(), entry.run, entry.seq, m.approval_id, m.user_id, m.by_id, entry.at
  FROM entry, json_to_recordset(entry.mentions) AS m(approval_id uuid, user_id uuid, by_id uuid)
), trust AS (
  INSERT INTO trust_event (workspace_id, run_id, seq, index, at, type, node, principal, path, detail)
  SELECT entry.workspace, entry.run, entry.seq, t.index, entry.at, t.type, t.node, t.principal, t.path, t.detail
  FROM entry, json_to_recordset(entry.trust) AS t(index int, type text, node text, principal text, path text, detail text)
), usage AS (
  INSERT INTO model_usage (workspace_id, run_id, seq, index, at, graph_id, user_id, model, agent, input_tokens, output_tokens, micro_usd,
    latency_ms)
  SELECT entry.workspace, entry.run, entry.seq, u.index, entry.at, entry.graph_id, entry.initiator_id, u.model, u.agent, u.input_tokens,
    u.output_tokens, u.micro_usd, u.latency_ms
  FROM entry, json_to_recordset(entry.usage) AS u(index int, model text, agent text, input_tokens int, output_tokens int,
    micro_usd bigint, latency_ms bigint)
), tools AS (
  INSERT INTO tool_usage (workspace_id, run_id, seq, index, at, graph_id, user_id, server, tool, latency_ms)
  SELECT entry.workspace, entry.run, entry.seq, t.index, entry.at, entry.graph_id, entry.initiator_id, t.server, t.tool, t.latency_ms
  FROM entry, json_to_recordset(entry.tools) AS t(index int, server text, tool text, latency_ms bigint)
), cases AS (
  INSERT INTO review_case (workspace_id, id, run_id, node, subject_digest, quorum, producers, status, opened_at, expires_at)
  SELECT entry.workspace, c.id, entry.run, c.node, c.subject_digest, c.quorum, c.producers, c.status,
    to_timestamp(c.opened_at::double precision / 1000), to_timestamp(c.expires_at::double precision / 1000)
  FROM entry, json_to_recordset(entry.cases -> 'opened') AS c(id uuid, node text, subject_digest text, quorum int, producers text[],
    status text, opened_at bigint, expires_at bigint)
), designated AS (
  INSERT INTO review_designation (workspace_id, case_id, reviewer, principal, seats)
  SELECT entry.workspace, d.case_id, d.reviewer, d.principal, d.seats
  FROM entry, json_to_recordset(entry.cases -> 'designated') AS d(case_id uuid, reviewer int, principal text, seats int)
), verdicts AS (
  INSERT INTO review_verdict (workspace_id, case_id, reviewer, designated, principal, model, subject_digest, verdict, at)
  SELECT entry.workspace, v.case_id, v.reviewer, v.designated, v.principal, v.model, v.subject_digest, v.verdict, entry.at
  FROM entry, json_to_recordset(entry.cases -> 'verdicts') AS v(case_id uuid, reviewer int, designated text, principal text,
    model text, subject_digest text, verdict text)
), closed AS (
  UPDATE review_case SET status = c.outcome, closed_at = entry.at
  FROM entry, json_to_recordset(entry.cases -> 'closed') AS c(case_id uuid, outcome text)
  WHERE review_case.id = c.case_id AND review_case.run_id = entry.run
)`;

const stored = (answered: string): string => `
SELECT head.ord, EXISTS (
  SELECT 1 FROM command c
  WHERE c.run_id = head.run AND c.status = 'pending' AND c.workspace_id = head.workspace ${answered}
) AS asked
FROM head`;

export const APPEND_PLAIN = ALWAYS + stored("");

export const APPEND_RECORDS = `${ALWAYS}, ${SOMETIMES}${stored("AND NOT EXISTS (SELECT 1 FROM entry WHERE entry.command = c.id)")}`;
