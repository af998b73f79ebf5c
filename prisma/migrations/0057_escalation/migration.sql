-- When a waiting request was escalated, and to whom.
ALTER TABLE "approval" ADD COLUMN "escalated_at" TIMESTAMPTZ(3),
ADD COLUMN "escalated_to" TEXT;

CREATE TRIGGER "tell_escalated" AFTER UPDATE ON "approval" FOR EACH ROW
  WHEN (OLD.escalated_at IS NULL AND NEW.escalated_at IS NOT NULL) EXECUTE FUNCTION "tell_webhooks"('approval.escalated');
