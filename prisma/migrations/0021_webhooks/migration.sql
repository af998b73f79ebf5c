-- CreateTable
CREATE TABLE "webhook_endpoint" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "url" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "types" TEXT[],
    "secret" BYTEA NOT NULL,
    "old_secret" BYTEA,
    "old_secret_until" TIMESTAMPTZ(3),
    "off_reason" TEXT,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "failing_since" TIMESTAMPTZ(3),
    "sent_checkpoint" BIGINT,
    "created_by" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_endpoint_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_delivery" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "endpoint_id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "payload" TEXT,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "code" INTEGER,
    "fault" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_delivery_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "webhook_endpoint_workspace_id_idx" ON "webhook_endpoint"("workspace_id");

-- CreateIndex
CREATE INDEX "webhook_delivery_status_next_at_idx" ON "webhook_delivery"("status", "next_at");

-- CreateIndex
CREATE INDEX "webhook_delivery_workspace_id_endpoint_id_created_at_idx" ON "webhook_delivery"("workspace_id", "endpoint_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "webhook_delivery_endpoint_id_type_subject_key" ON "webhook_delivery"("endpoint_id", "type", "subject");

ALTER TABLE "webhook_delivery"
  ADD CONSTRAINT "webhook_delivery_status_is_known" CHECK ("status" IN ('pending', 'delivered', 'failed', 'dropped'));
ALTER TABLE "webhook_endpoint"
  ADD CONSTRAINT "webhook_endpoint_is_off_for_a_reason" CHECK ("off_reason" IN ('admin', 'gone', 'failing'));

-- What there is to tell is queued in the transaction that it is about: nothing is told that did not happen, nothing that
-- happened is forgotten, and no statement of the program is spent on it.
CREATE FUNCTION "tell_webhooks"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  about jsonb := to_jsonb(NEW);
BEGIN
  INSERT INTO webhook_delivery (workspace_id, id, endpoint_id, type, subject)
  SELECT NEW.workspace_id, gen_random_uuid(), e.id, TG_ARGV[0],
    CASE TG_TABLE_NAME
      WHEN 'checkpoint' THEN about ->> 'count'
      WHEN 'mcp_server' THEN (about ->> 'id') || '@' || (about ->> 'revision')
      ELSE about ->> 'id'
    END
  FROM webhook_endpoint e
  WHERE e.workspace_id = NEW.workspace_id AND e.off_reason IS NULL AND TG_ARGV[0] = ANY (e.types)
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;
CREATE TRIGGER "tell_requested" AFTER INSERT ON "approval" FOR EACH ROW EXECUTE FUNCTION "tell_webhooks"('approval.requested');
CREATE TRIGGER "tell_resolved" AFTER UPDATE ON "approval" FOR EACH ROW
  WHEN (OLD.status = 'open' AND NEW.status <> 'open') EXECUTE FUNCTION "tell_webhooks"('approval.resolved');
CREATE TRIGGER "tell_ended" AFTER UPDATE ON "run" FOR EACH ROW
  WHEN (NEW.status <> OLD.status AND NEW.status IN ('completed', 'failed', 'cancelled', 'timeout'))
  EXECUTE FUNCTION "tell_webhooks"('run.ended');
CREATE TRIGGER "tell_frozen" AFTER UPDATE ON "run" FOR EACH ROW
  WHEN (OLD.frozen IS NULL AND NEW.frozen IS NOT NULL) EXECUTE FUNCTION "tell_webhooks"('run.frozen');
CREATE TRIGGER "tell_signed" AFTER INSERT ON "checkpoint" FOR EACH ROW EXECUTE FUNCTION "tell_webhooks"('checkpoint.signed');
CREATE TRIGGER "tell_suspended" AFTER UPDATE ON "mcp_server" FOR EACH ROW
  WHEN (NEW.status <> OLD.status AND NEW.status = 'suspended') EXECUTE FUNCTION "tell_webhooks"('server.suspended');

-- A workspace sees only itself; the runner serves all of them.
DO $$
DECLARE
  owned text;
BEGIN
  FOREACH owned IN ARRAY ARRAY['webhook_endpoint', 'webhook_delivery'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', owned);
    EXECUTE format(
      'CREATE POLICY "web_sees_its_workspace" ON %I FOR ALL TO countersign_web
         USING (workspace_id = nullif(current_setting(''countersign.workspace'', true), '''')::uuid)
         WITH CHECK (workspace_id = nullif(current_setting(''countersign.workspace'', true), '''')::uuid)', owned);
    EXECUTE format('CREATE POLICY "runner_serves_all" ON %I FOR ALL TO countersign_runner USING (true) WITH CHECK (true)', owned);
  END LOOP;
END
$$;

GRANT SELECT ON "webhook_endpoint", "webhook_delivery" TO countersign_web, countersign_runner;
-- People say where notifications go and ask for one to be sent (again); what one says, and what came of it, only the runner.
GRANT INSERT, DELETE ON "webhook_endpoint" TO countersign_web;
GRANT UPDATE ("url", "description", "types", "secret", "old_secret", "old_secret_until", "off_reason", "failures", "failing_since")
  ON "webhook_endpoint" TO countersign_web;
GRANT INSERT ("workspace_id", "id", "endpoint_id", "type", "subject"), UPDATE ("status", "attempts", "next_at", "ended_at"), DELETE
  ON "webhook_delivery" TO countersign_web;
GRANT UPDATE ("secret", "old_secret", "off_reason", "failures", "failing_since", "sent_checkpoint") ON "webhook_endpoint" TO countersign_runner;
GRANT INSERT ("workspace_id", "id", "endpoint_id", "type", "subject"), DELETE ON "webhook_delivery" TO countersign_runner;
GRANT UPDATE ("payload", "status", "attempts", "next_at", "code", "fault", "ended_at") ON "webhook_delivery" TO countersign_runner;
