-- AlterTable
ALTER TABLE "runner_heartbeat" ADD COLUMN     "push_key" TEXT;

-- CreateTable
CREATE TABLE "push_browser" (
    "workspace_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "endpoint" TEXT NOT NULL,
    "p256dh" TEXT NOT NULL,
    "auth" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "push_browser_pkey" PRIMARY KEY ("workspace_id","user_id","id")
);

ALTER TABLE "notification_setting" DROP CONSTRAINT "notification_setting_is_known",
  ADD CONSTRAINT "notification_setting_is_known" CHECK (
    "channel" IN ('mail', 'slack', 'push') AND "about" IN ('assigned', 'all') AND "cadence" IN ('immediate', 'hourly', 'daily')
    AND "daily_at" BETWEEN 0 AND 1439 AND ("quiet_from" IS NULL) = ("quiet_until" IS NULL)
  );

ALTER TABLE "push_browser" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "web_sees_its_workspace" ON "push_browser" FOR SELECT TO countersign_web
  USING (workspace_id = nullif(current_setting('countersign.workspace', true), '')::uuid);
CREATE POLICY "runner_serves_all" ON "push_browser" FOR ALL TO countersign_runner USING (true) WITH CHECK (true);

-- Members see which browsers they have; only the runner adds and removes them, on record, and knows where to send.
GRANT SELECT ("workspace_id", "user_id", "id", "name", "created_at") ON "push_browser" TO countersign_web;
GRANT SELECT, INSERT, UPDATE, DELETE ON "push_browser" TO countersign_runner;
