-- AlterTable
ALTER TABLE "model_usage" ADD COLUMN     "latency_ms" BIGINT;

-- CreateTable
CREATE TABLE "tool_usage" (
    "workspace_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "seq" INTEGER NOT NULL,
    "index" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "graph_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "server" TEXT NOT NULL,
    "tool" TEXT NOT NULL,
    "latency_ms" BIGINT NOT NULL,

    CONSTRAINT "tool_usage_pkey" PRIMARY KEY ("run_id","seq","index")
);

-- CreateIndex
CREATE INDEX "tool_usage_workspace_id_at_idx" ON "tool_usage"("workspace_id", "at");

-- What was called before is in the records.
CREATE TEMPORARY TABLE "earlier_call" ON COMMIT DROP AS
SELECT l.workspace_id, l.run_id, l.seq, (e.ord - 1)::int AS index, (b.body ->> 'at')::bigint AS at_ms, e.event,
  coalesce(e.event ->> 'effect_id', e.event ->> 'reservation_id') AS call_id
FROM "ledger_record" l
  CROSS JOIN LATERAL (SELECT l.body::jsonb AS body) b
  CROSS JOIN LATERAL jsonb_array_elements(b.body -> 'control') WITH ORDINALITY AS e(event, ord)
WHERE (l.body LIKE '%"effect_intended"%' OR l.body LIKE '%"effect_settled"%' OR l.body LIKE '%"budget_reserved"%' OR l.body LIKE '%"model_called"%')
  AND l.body NOT LIKE '%\\u0000%'
  AND e.event ->> 'type' IN ('effect_intended', 'effect_settled', 'budget_reserved', 'model_called');
CREATE INDEX ON "earlier_call" (run_id, call_id);

INSERT INTO "tool_usage" (workspace_id, run_id, seq, index, at, graph_id, user_id, server, tool, latency_ms)
SELECT s.workspace_id, s.run_id, s.seq, s.index, to_timestamp(s.at_ms::double precision / 1000), r.graph_id, r.initiator_id,
  i.event -> 'effect' ->> 'server', i.event -> 'effect' ->> 'tool', greatest(0, s.at_ms - i.at_ms)
FROM "earlier_call" s
  JOIN "earlier_call" i ON i.run_id = s.run_id AND i.call_id = s.call_id AND i.event ->> 'type' = 'effect_intended'
  JOIN "run" r ON r.id = s.run_id
WHERE s.event ->> 'type' = 'effect_settled' AND s.event ->> 'outcome' <> 'abandoned' AND NOT (s.event ->> 'simulated')::boolean;

ALTER TABLE "model_usage" DISABLE TRIGGER "insert_only";
UPDATE "model_usage" u SET latency_ms = greatest(0, m.at_ms - b.at_ms)
FROM "earlier_call" m
  JOIN "earlier_call" b ON b.run_id = m.run_id AND b.call_id = m.call_id AND b.event ->> 'type' = 'budget_reserved'
WHERE m.event ->> 'type' = 'model_called' AND u.run_id = m.run_id AND u.seq = m.seq AND u.index = m.index;
ALTER TABLE "model_usage" ENABLE TRIGGER "insert_only";

-- Written with the record, never changed.
CREATE TRIGGER "insert_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "tool_usage" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
ALTER TABLE "tool_usage" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "web_sees_its_workspace" ON "tool_usage" FOR ALL TO countersign_web
  USING (workspace_id = nullif(current_setting('countersign.workspace', true), '')::uuid)
  WITH CHECK (workspace_id = nullif(current_setting('countersign.workspace', true), '')::uuid);
CREATE POLICY "runner_serves_all" ON "tool_usage" FOR ALL TO countersign_runner USING (true) WITH CHECK (true);
GRANT SELECT ON "tool_usage" TO countersign_web, countersign_runner;
GRANT INSERT ON "tool_usage" TO countersign_runner;
