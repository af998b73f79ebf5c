-- CreateTable
CREATE TABLE "graph_trigger" (
    "workspace_id" UUID NOT NULL,
    "graph_id" UUID NOT NULL,
    "trigger" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "schedule" JSONB,
    "next_at" TIMESTAMPTZ(3),
    "due_at" TIMESTAMPTZ(3),
    "source_graph" UUID,
    "statuses" TEXT[] DEFAULT ARRAY[]::TEXT[],

    CONSTRAINT "graph_trigger_pkey" PRIMARY KEY ("workspace_id","graph_id","trigger")
);

-- CreateTable
CREATE TABLE "trigger_event" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "graph_id" UUID NOT NULL,
    "trigger" TEXT NOT NULL,
    "kind" TEXT NOT NULL DEFAULT 'webhook',
    "body" BYTEA NOT NULL DEFAULT '\x'::bytea,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "code" TEXT,
    "event_id" TEXT,
    "run_id" UUID,
    "received_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "decided_at" TIMESTAMPTZ(3),

    CONSTRAINT "trigger_event_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "graph_trigger_kind_due_at_idx" ON "graph_trigger"("kind", "due_at");

-- CreateIndex
CREATE INDEX "graph_trigger_workspace_id_source_graph_idx" ON "graph_trigger"("workspace_id", "source_graph");

-- CreateIndex
CREATE INDEX "trigger_event_status_received_at_idx" ON "trigger_event"("status", "received_at");

-- CreateIndex
CREATE INDEX "trigger_event_workspace_id_received_at_id_idx" ON "trigger_event"("workspace_id", "received_at", "id");

-- CreateIndex
CREATE INDEX "trigger_event_run_id_idx" ON "trigger_event"("run_id");

-- CreateIndex
CREATE UNIQUE INDEX "trigger_event_workspace_id_graph_id_trigger_event_id_key" ON "trigger_event"("workspace_id", "graph_id", "trigger", "event_id");

ALTER TABLE "graph_trigger"
  ADD CONSTRAINT "graph_trigger_kind_is_known" CHECK ("kind" IN ('webhook', 'schedule', 'run_end'));
ALTER TABLE "trigger_event"
  ADD CONSTRAINT "trigger_event_is_known" CHECK (
    "kind" IN ('webhook', 'schedule', 'run_end') AND "status" IN ('pending', 'queued', 'accepted', 'started', 'refused')
  ),
  ADD CONSTRAINT "trigger_event_body_is_bounded" CHECK (octet_length("body") <= 1048576),
  -- What arrived is never what was decided about it.
  ADD CONSTRAINT "trigger_event_is_verified" CHECK ("status" IN ('pending', 'refused') OR "event_id" IS NOT NULL);

-- In the transaction that ends the run: each end once, and none lost.
CREATE FUNCTION "trigger_ended"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO trigger_event (workspace_id, id, graph_id, trigger, kind, event_id)
  SELECT NEW.workspace_id, gen_random_uuid(), t.graph_id, t.trigger, 'run_end', NEW.id::text
  FROM graph_trigger t
  WHERE t.workspace_id = NEW.workspace_id AND t.source_graph = NEW.graph_id AND NEW.status = ANY (t.statuses)
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;
CREATE TRIGGER "trigger_ended" AFTER UPDATE ON "run" FOR EACH ROW
  WHEN (NEW.status <> OLD.status AND NEW.status IN ('completed', 'failed', 'cancelled', 'timeout', 'budget_exceeded') AND NOT NEW.simulated)
  EXECUTE FUNCTION "trigger_ended"();

DO $$
DECLARE
  owned text;
BEGIN
  FOREACH owned IN ARRAY ARRAY['graph_trigger', 'trigger_event'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', owned);
    EXECUTE format(
      'CREATE POLICY "web_sees_its_workspace" ON %I FOR ALL TO countersign_web
         USING (workspace_id = nullif(current_setting(''countersign.workspace'', true), '''')::uuid)
         WITH CHECK (workspace_id = nullif(current_setting(''countersign.workspace'', true), '''')::uuid)', owned);
    EXECUTE format('CREATE POLICY "runner_serves_all" ON %I FOR ALL TO countersign_runner USING (true) WITH CHECK (true)', owned);
  END LOOP;
END
$$;

-- The web process passes on what arrived; what comes of it, only the runner decides.
GRANT SELECT ON "graph_trigger" TO countersign_web;
GRANT SELECT ("workspace_id", "id", "graph_id", "trigger", "kind", "status", "code", "event_id", "run_id", "received_at", "decided_at"),
  INSERT ("workspace_id", "id", "graph_id", "trigger", "body") ON "trigger_event" TO countersign_web;
GRANT SELECT, INSERT, UPDATE, DELETE ON "graph_trigger" TO countersign_runner;
GRANT SELECT, INSERT, DELETE, UPDATE ("body", "status", "code", "event_id", "run_id", "decided_at") ON "trigger_event" TO countersign_runner;
