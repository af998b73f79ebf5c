-- CreateTable
CREATE TABLE "approval_aside" (
    "workspace_id" UUID NOT NULL,
    "approval_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,
    "reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "approval_aside_pkey" PRIMARY KEY ("approval_id","user_id")
);

-- CreateTable
CREATE TABLE "approval_reminder" (
    "workspace_id" UUID NOT NULL,
    "approval_id" UUID NOT NULL,
    "percent" INTEGER NOT NULL,
    "recipients" UUID[] DEFAULT ARRAY[]::UUID[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "approval_reminder_pkey" PRIMARY KEY ("approval_id","percent")
);

-- CreateTable
CREATE TABLE "reminder_setting" (
    "workspace_id" UUID NOT NULL,
    "percents" INTEGER[],
    "changed_by" UUID NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "reminder_setting_pkey" PRIMARY KEY ("workspace_id")
);

-- CreateIndex
CREATE INDEX "approval_aside_workspace_id_user_id_until_idx" ON "approval_aside"("workspace_id", "user_id", "until");

-- CreateIndex
CREATE INDEX "approval_reminder_workspace_id_created_at_idx" ON "approval_reminder"("workspace_id", "created_at");

ALTER TABLE "approval_aside"
  ADD CONSTRAINT "approval_aside_kind_is_known" CHECK ("kind" IN ('snoozed', 'not_mine')),
  ADD CONSTRAINT "approval_aside_reason_is_of_not_mine" CHECK ("reason" IS NULL OR "kind" = 'not_mine');
ALTER TABLE "approval_reminder"
  ADD CONSTRAINT "approval_reminder_percent_is_between" CHECK ("percent" BETWEEN 1 AND 99);

-- The sweep for reminders reads waiting requests of all workspaces.
CREATE INDEX "approval_waiting" ON "approval" ("opened_at") WHERE "status" = 'open';

-- A reminder is queued in the transaction that records it, so it is sent once however many runners sweep.
CREATE FUNCTION "tell_reminders"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO webhook_delivery (workspace_id, id, endpoint_id, type, subject)
  SELECT NEW.workspace_id, gen_random_uuid(), e.id, 'approval.reminder', NEW.approval_id || '@' || NEW.percent
  FROM webhook_endpoint e
  WHERE e.workspace_id = NEW.workspace_id AND e.off_reason IS NULL AND 'approval.reminder' = ANY (e.types)
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;
CREATE TRIGGER "tell_reminder" AFTER INSERT ON "approval_reminder" FOR EACH ROW EXECUTE FUNCTION "tell_reminders"();

-- A workspace sees only itself; the runner serves all of them.
DO $$
DECLARE
  owned text;
BEGIN
  FOREACH owned IN ARRAY ARRAY['approval_aside', 'approval_reminder', 'reminder_setting'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', owned);
    EXECUTE format(
      'CREATE POLICY "web_sees_its_workspace" ON %I FOR ALL TO countersign_web
         USING (workspace_id = nullif(current_setting(''countersign.workspace'', true), '''')::uuid)
         WITH CHECK (workspace_id = nullif(current_setting(''countersign.workspace'', true), '''')::uuid)', owned);
    EXECUTE format('CREATE POLICY "runner_serves_all" ON %I FOR ALL TO countersign_runner USING (true) WITH CHECK (true)', owned);
  END LOOP;
END
$$;

GRANT SELECT ON "approval_aside", "approval_reminder", "reminder_setting" TO countersign_web, countersign_runner;
-- Attention, not authority: nothing here says who may decide.
GRANT INSERT, DELETE ON "approval_aside" TO countersign_web;
GRANT UPDATE ("kind", "until", "reason", "created_at") ON "approval_aside" TO countersign_web;
GRANT INSERT ON "reminder_setting" TO countersign_web;
GRANT UPDATE ("percents", "changed_by", "changed_at") ON "reminder_setting" TO countersign_web;
GRANT INSERT ON "approval_reminder" TO countersign_runner;
