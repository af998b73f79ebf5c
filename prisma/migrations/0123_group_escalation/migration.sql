-- AlterTable
ALTER TABLE "approval" ADD COLUMN     "escalated_group" TEXT;

-- A graph and several rules may each escalate one request.
DROP TRIGGER "tell_escalated" ON "approval";
CREATE TRIGGER "tell_escalated" AFTER UPDATE ON "approval" FOR EACH ROW
  WHEN (NEW.escalated_at IS NOT NULL AND NEW.escalated_at IS DISTINCT FROM OLD.escalated_at)
  EXECUTE FUNCTION "tell_webhooks"('approval.escalated');

-- Groups have no rows: the runner drops those for members who may not decide.
CREATE FUNCTION "notify_escalated"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO notification (workspace_id, id, user_id, channel, type, subject, percent)
  SELECT NEW.workspace_id, gen_random_uuid(), s.user_id, s.channel, 'approval.escalated', NEW.id, cardinality(NEW.named_groups)
  FROM notification_setting s JOIN membership m ON m.workspace_id = s.workspace_id AND m.user_id = s.user_id
  WHERE s.workspace_id = NEW.workspace_id AND (NEW.authority IS NULL OR NEW.authority = ANY (s.classes))
    AND m.role = NEW.role AND NOT s.user_id = ANY (NEW.barred)
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;
CREATE TRIGGER "notify_escalated" AFTER UPDATE ON "approval" FOR EACH ROW
  WHEN (NEW.status = 'open' AND NEW.escalated_group IS NOT NULL AND NEW.escalated_at IS DISTINCT FROM OLD.escalated_at)
  EXECUTE FUNCTION "notify_escalated"();

CREATE OR REPLACE FUNCTION "notify_resolved"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM notification WHERE type = 'approval.updated' AND subject = NEW.id;
  INSERT INTO notification (workspace_id, id, user_id, channel, type, subject)
  SELECT n.workspace_id, gen_random_uuid(), n.user_id, n.channel, 'approval.updated', n.subject
  FROM notification n
  WHERE n.type IN ('approval.requested', 'approval.reminded', 'approval.escalated') AND n.subject = NEW.id AND n.place IS NOT NULL
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;
