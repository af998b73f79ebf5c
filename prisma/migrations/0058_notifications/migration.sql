-- AlterTable
ALTER TABLE "runner_heartbeat" ADD COLUMN     "mail_from" TEXT;

-- CreateTable
CREATE TABLE "notification_setting" (
    "workspace_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "channel" TEXT NOT NULL,
    "about" TEXT NOT NULL,
    "classes" TEXT[],
    "cadence" TEXT NOT NULL,
    "daily_at" INTEGER NOT NULL,
    "quiet_from" INTEGER,
    "quiet_until" INTEGER,
    "time_zone" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "notification_setting_pkey" PRIMARY KEY ("workspace_id","user_id","channel")
);

-- CreateTable
CREATE TABLE "notification" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "channel" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "subject" UUID NOT NULL,
    "message_id" UUID,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "code" INTEGER,
    "fault" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "notification_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "notification_status_next_at_idx" ON "notification"("status", "next_at");

-- CreateIndex
CREATE INDEX "notification_workspace_id_user_id_created_at_idx" ON "notification"("workspace_id", "user_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "notification_user_id_channel_type_subject_key" ON "notification"("user_id", "channel", "type", "subject");

ALTER TABLE "notification_setting"
  ADD CONSTRAINT "notification_setting_is_known" CHECK (
    "channel" IN ('mail') AND "about" IN ('assigned', 'all') AND "cadence" IN ('immediate', 'hourly', 'daily')
    AND "daily_at" BETWEEN 0 AND 1439 AND ("quiet_from" IS NULL) = ("quiet_until" IS NULL)
  );
ALTER TABLE "notification"
  ADD CONSTRAINT "notification_status_is_known" CHECK ("status" IN ('pending', 'delivered', 'failed', 'dropped'));

-- Queued in the transaction that opens the request, as webhooks are; for members only, whatever the setting's row says.
CREATE FUNCTION "notify_members"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO notification (workspace_id, id, user_id, channel, type, subject)
  SELECT NEW.workspace_id, gen_random_uuid(), s.user_id, s.channel, 'approval.requested', NEW.id
  FROM notification_setting s JOIN membership m ON m.workspace_id = s.workspace_id AND m.user_id = s.user_id
  WHERE s.workspace_id = NEW.workspace_id AND (NEW.authority IS NULL OR NEW.authority = ANY (s.classes))
    AND (s.about = 'all' OR (m.role = NEW.role AND NOT s.user_id = ANY (NEW.barred)))
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;
CREATE TRIGGER "notify_requested" AFTER INSERT ON "approval" FOR EACH ROW
  WHEN (NEW.status = 'open') EXECUTE FUNCTION "notify_members"();

DO $$
DECLARE
  owned text;
BEGIN
  FOREACH owned IN ARRAY ARRAY['notification_setting', 'notification'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', owned);
    EXECUTE format(
      'CREATE POLICY "web_sees_its_workspace" ON %I FOR ALL TO countersign_web
         USING (workspace_id = nullif(current_setting(''countersign.workspace'', true), '''')::uuid)
         WITH CHECK (workspace_id = nullif(current_setting(''countersign.workspace'', true), '''')::uuid)', owned);
    EXECUTE format('CREATE POLICY "runner_serves_all" ON %I FOR ALL TO countersign_runner USING (true) WITH CHECK (true)', owned);
  END LOOP;
END
$$;

-- Members choose what reaches them and ask for a test; only the runner says what came of it.
GRANT SELECT, INSERT, UPDATE, DELETE ON "notification_setting" TO countersign_web;
GRANT SELECT ON "notification_setting" TO countersign_runner;
GRANT SELECT, INSERT ("workspace_id", "id", "user_id", "channel", "type", "subject"), DELETE ON "notification" TO countersign_web;
GRANT SELECT, INSERT ("workspace_id", "id", "user_id", "channel", "type", "subject"), DELETE ON "notification" TO countersign_runner;
GRANT UPDATE ("message_id", "status", "attempts", "next_at", "code", "fault", "ended_at") ON "notification" TO countersign_runner;
