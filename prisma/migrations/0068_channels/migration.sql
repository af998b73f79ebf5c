-- AlterTable
ALTER TABLE "runner_heartbeat" ADD COLUMN     "channels" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- AlterTable
ALTER TABLE "notification" ADD COLUMN     "place" TEXT;

-- CreateTable
CREATE TABLE "notification_account" (
    "workspace_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "channel" TEXT NOT NULL,
    "account" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "confirmed_at" TIMESTAMPTZ(3),

    CONSTRAINT "notification_account_pkey" PRIMARY KEY ("workspace_id","user_id","channel")
);

ALTER TABLE "notification_setting" DROP CONSTRAINT "notification_setting_is_known",
  ADD CONSTRAINT "notification_setting_is_known" CHECK (
    "channel" IN ('mail', 'slack') AND "about" IN ('assigned', 'all') AND "cadence" IN ('immediate', 'hourly', 'daily')
    AND "daily_at" BETWEEN 0 AND 1439 AND ("quiet_from" IS NULL) = ("quiet_until" IS NULL)
  );
ALTER TABLE "notification_account"
  ADD CONSTRAINT "notification_account_is_known" CHECK ("channel" IN ('slack') AND length("account") BETWEEN 1 AND 200);

-- A message that can be changed later shows what became of its requests.
CREATE FUNCTION "notify_resolved"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM notification WHERE type = 'approval.updated' AND subject = NEW.id;
  INSERT INTO notification (workspace_id, id, user_id, channel, type, subject)
  SELECT n.workspace_id, gen_random_uuid(), n.user_id, n.channel, 'approval.updated', n.subject
  FROM notification n WHERE n.type = 'approval.requested' AND n.subject = NEW.id AND n.place IS NOT NULL
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;
CREATE TRIGGER "notify_resolved" AFTER UPDATE ON "approval" FOR EACH ROW
  WHEN (OLD.status = 'open' AND NEW.status <> 'open') EXECUTE FUNCTION "notify_resolved"();
CREATE INDEX "notification_subject" ON "notification" ("subject");

ALTER TABLE "notification_account" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "web_sees_its_workspace" ON "notification_account" FOR ALL TO countersign_web
  USING (workspace_id = nullif(current_setting('countersign.workspace', true), '')::uuid)
  WITH CHECK (workspace_id = nullif(current_setting('countersign.workspace', true), '')::uuid);
CREATE POLICY "runner_serves_all" ON "notification_account" FOR ALL TO countersign_runner USING (true) WITH CHECK (true);

-- Members name an account and may withdraw it; only the runner confirms one, on record.
GRANT SELECT, INSERT ("workspace_id", "user_id", "channel", "account"), DELETE ON "notification_account" TO countersign_web;
GRANT SELECT, INSERT, UPDATE ("account", "confirmed_at"), DELETE ON "notification_account" TO countersign_runner;
GRANT UPDATE ("place") ON "notification" TO countersign_runner;
