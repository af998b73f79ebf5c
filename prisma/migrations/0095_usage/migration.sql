-- AlterTable
ALTER TABLE "run" ADD COLUMN     "budget_percent" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "ended_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "trust_query" ADD COLUMN     "page" TEXT NOT NULL DEFAULT 'trust';

-- AlterTable
ALTER TABLE "webhook_endpoint" ADD COLUMN     "clearance" TEXT NOT NULL DEFAULT 'public',
ADD COLUMN     "graph_ids" UUID[] DEFAULT ARRAY[]::UUID[],
ADD COLUMN     "outputs" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "outputs_url" TEXT,
ADD COLUMN     "statuses" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- CreateTable
CREATE TABLE "model_usage" (
    "workspace_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "seq" INTEGER NOT NULL,
    "index" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "graph_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "model" TEXT,
    "agent" TEXT,
    "input_tokens" INTEGER NOT NULL,
    "output_tokens" INTEGER NOT NULL,
    "micro_usd" BIGINT NOT NULL,

    CONSTRAINT "model_usage_pkey" PRIMARY KEY ("run_id","seq","index")
);

-- CreateIndex
CREATE INDEX "model_usage_workspace_id_at_idx" ON "model_usage"("workspace_id", "at");

-- CreateIndex
CREATE INDEX "approval_workspace_id_opened_at_idx" ON "approval"("workspace_id", "opened_at");

UPDATE "run" SET "ended_at" = "updated_at" WHERE "status" IN ('completed', 'failed', 'cancelled', 'timeout');

-- What was called before is in the records; a voter's agent is in them by its node's only.
INSERT INTO "model_usage" (workspace_id, run_id, seq, index, at, graph_id, user_id, model, agent, input_tokens, output_tokens, micro_usd)
SELECT l.workspace_id, l.run_id, l.seq, (e.ord - 1)::int, to_timestamp((b.body ->> 'at')::double precision / 1000), r.graph_id, r.initiator_id,
  e.event -> 'usage' ->> 'model', b.body -> 'principal' ->> 'agent',
  coalesce((e.event -> 'usage' ->> 'input_tokens')::int, 0),
  coalesce((e.event -> 'usage' ->> 'output_tokens')::int, (e.event ->> 'tokens')::int, 0),
  coalesce((e.event -> 'usage' ->> 'cost_micro_usd')::bigint, (e.event ->> 'cost_micro_usd')::bigint, 0)
FROM "ledger_record" l
  JOIN "run" r ON r.id = l.run_id
  CROSS JOIN LATERAL (SELECT l.body::jsonb AS body) b
  CROSS JOIN LATERAL jsonb_array_elements(b.body -> 'control') WITH ORDINALITY AS e(event, ord)
WHERE (l.body LIKE '%"model_called"%' OR l.body LIKE '%"reservation_released"%')
  AND l.body NOT LIKE '%\\u0000%'
  AND (e.event ->> 'type' = 'model_called' OR (e.event ->> 'type' = 'reservation_released' AND (e.event ->> 'tokens')::int > 0));

ALTER TABLE "webhook_endpoint" ADD CONSTRAINT "webhook_endpoint_clearance_is_known" CHECK ("clearance" IN ('public', 'internal', 'pii', 'secret'));
ALTER TABLE "trust_query" ADD CONSTRAINT "trust_query_page_is_known" CHECK ("page" IN ('trust', 'runs', 'approvals'));

CREATE OR REPLACE FUNCTION "tell_webhooks"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  about jsonb := to_jsonb(NEW);
  graph uuid := CASE TG_TABLE_NAME
    WHEN 'run' THEN (about ->> 'graph_id')::uuid
    WHEN 'approval' THEN (SELECT graph_id FROM run WHERE id = (about ->> 'run_id')::uuid)
  END;
BEGIN
  INSERT INTO webhook_delivery (workspace_id, id, endpoint_id, type, subject)
  SELECT NEW.workspace_id, gen_random_uuid(), e.id, TG_ARGV[0],
    CASE
      WHEN TG_TABLE_NAME = 'checkpoint' THEN about ->> 'count'
      WHEN TG_TABLE_NAME = 'mcp_server' THEN (about ->> 'id') || '@' || (about ->> 'revision')
      WHEN TG_ARGV[0] = 'run.threshold' THEN (about ->> 'id') || '@' || (about ->> 'version') || '@' || (about ->> 'budget_percent')
      WHEN TG_ARGV[0] = 'run.refused' THEN (about ->> 'id') || '@' || (about ->> 'version')
      ELSE about ->> 'id'
    END
  FROM webhook_endpoint e
  WHERE e.workspace_id = NEW.workspace_id AND e.off_reason IS NULL AND TG_ARGV[0] = ANY (e.types)
    AND (graph IS NULL OR e.graph_ids = '{}' OR graph = ANY (e.graph_ids))
    AND (e.group_name IS NULL OR coalesce(about -> 'named_groups', '[]') ? e.group_name)
    AND (TG_ARGV[0] <> 'run.ended' OR e.statuses = '{}' OR about ->> 'status' = ANY (e.statuses))
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;

DROP TRIGGER "tell_ended" ON "run";
CREATE TRIGGER "tell_ended" AFTER UPDATE ON "run" FOR EACH ROW
  WHEN (NEW.status <> OLD.status AND NEW.status IN ('completed', 'failed', 'cancelled', 'timeout', 'budget_exceeded'))
  EXECUTE FUNCTION "tell_webhooks"('run.ended');
CREATE TRIGGER "tell_threshold" AFTER UPDATE ON "run" FOR EACH ROW
  WHEN (NEW.budget_percent > OLD.budget_percent) EXECUTE FUNCTION "tell_webhooks"('run.threshold');
CREATE TRIGGER "tell_refused" AFTER UPDATE ON "run" FOR EACH ROW
  WHEN (NEW.refusals > OLD.refusals) EXECUTE FUNCTION "tell_webhooks"('run.refused');

CREATE OR REPLACE FUNCTION "tell_reminders"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO webhook_delivery (workspace_id, id, endpoint_id, type, subject)
  SELECT NEW.workspace_id, gen_random_uuid(), e.id, 'approval.reminder', NEW.approval_id || '@' || NEW.percent
  FROM webhook_endpoint e
  WHERE e.workspace_id = NEW.workspace_id AND e.off_reason IS NULL AND 'approval.reminder' = ANY (e.types)
    AND (e.graph_ids = '{}'
      OR (SELECT r.graph_id FROM approval a JOIN run r ON r.id = a.run_id WHERE a.id = NEW.approval_id) = ANY (e.graph_ids))
    AND (e.group_name IS NULL OR EXISTS (
      SELECT FROM approval a WHERE a.id = NEW.approval_id AND e.group_name = ANY (a.named_groups)
    ))
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;

-- Written with the record, never changed.
CREATE TRIGGER "insert_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "model_usage" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
ALTER TABLE "model_usage" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "web_sees_its_workspace" ON "model_usage" FOR ALL TO countersign_web
  USING (workspace_id = nullif(current_setting('countersign.workspace', true), '')::uuid)
  WITH CHECK (workspace_id = nullif(current_setting('countersign.workspace', true), '')::uuid);
CREATE POLICY "runner_serves_all" ON "model_usage" FOR ALL TO countersign_runner USING (true) WITH CHECK (true);
GRANT SELECT ON "model_usage" TO countersign_web, countersign_runner;
GRANT INSERT ON "model_usage" TO countersign_runner;

-- Which values leave with an event is granted on record, by the runner.
REVOKE INSERT ON "webhook_endpoint" FROM countersign_web;
GRANT INSERT ("workspace_id", "id", "url", "description", "types", "format", "group_name", "graph_ids", "statuses", "secret", "created_by")
  ON "webhook_endpoint" TO countersign_web;
GRANT UPDATE ("graph_ids", "statuses") ON "webhook_endpoint" TO countersign_web;
GRANT UPDATE ("outputs", "clearance", "outputs_url") ON "webhook_endpoint" TO countersign_runner;
