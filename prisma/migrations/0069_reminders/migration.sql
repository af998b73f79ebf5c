-- DropIndex
DROP INDEX "notification_user_id_channel_type_subject_key";

-- AlterTable
ALTER TABLE "notification" ADD COLUMN     "percent" INTEGER NOT NULL DEFAULT 0;

-- CreateIndex
CREATE UNIQUE INDEX "notification_user_id_channel_type_subject_percent_key" ON "notification"("user_id", "channel", "type", "subject", "percent");

-- In the reminder's transaction. A later reminder replaces one that still waits.
CREATE FUNCTION "notify_reminded"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM notification WHERE type = 'approval.reminded' AND subject = NEW.approval_id AND status = 'pending' AND message_id IS NULL;
  INSERT INTO notification (workspace_id, id, user_id, channel, type, subject, percent)
  SELECT NEW.workspace_id, gen_random_uuid(), s.user_id, s.channel, 'approval.reminded', NEW.approval_id, NEW.percent
  FROM notification_setting s
    JOIN membership m ON m.workspace_id = s.workspace_id AND m.user_id = s.user_id
    JOIN approval a ON a.workspace_id = s.workspace_id AND a.id = NEW.approval_id
  WHERE s.workspace_id = NEW.workspace_id AND s.user_id = ANY (NEW.recipients)
    AND (a.authority IS NULL OR a.authority = ANY (s.classes))
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;
CREATE TRIGGER "notify_reminded" AFTER INSERT ON "approval_reminder" FOR EACH ROW EXECUTE FUNCTION "notify_reminded"();

-- Reminders that can be changed later too.
CREATE OR REPLACE FUNCTION "notify_resolved"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM notification WHERE type = 'approval.updated' AND subject = NEW.id;
  INSERT INTO notification (workspace_id, id, user_id, channel, type, subject)
  SELECT n.workspace_id, gen_random_uuid(), n.user_id, n.channel, 'approval.updated', n.subject
  FROM notification n
  WHERE n.type IN ('approval.requested', 'approval.reminded') AND n.subject = NEW.id AND n.place IS NOT NULL
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;

GRANT INSERT ("percent") ON "notification" TO countersign_runner;
