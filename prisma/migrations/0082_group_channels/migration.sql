-- AlterTable
ALTER TABLE "webhook_endpoint" ADD COLUMN     "format" TEXT NOT NULL DEFAULT 'signed',
ADD COLUMN     "group_name" TEXT;

ALTER TABLE "webhook_endpoint"
  ADD CONSTRAINT "webhook_endpoint_format_is_known" CHECK ("format" IN ('signed', 'slack', 'teams'));
GRANT UPDATE ("format", "group_name") ON "webhook_endpoint" TO countersign_web;

-- As before; an endpoint of a group hears of that group's requests only.
CREATE OR REPLACE FUNCTION "tell_webhooks"() RETURNS trigger LANGUAGE plpgsql AS $$
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
    AND (e.group_name IS NULL OR coalesce(about -> 'named_groups', '[]') ? e.group_name)
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;
CREATE OR REPLACE FUNCTION "tell_reminders"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO webhook_delivery (workspace_id, id, endpoint_id, type, subject)
  SELECT NEW.workspace_id, gen_random_uuid(), e.id, 'approval.reminder', NEW.approval_id || '@' || NEW.percent
  FROM webhook_endpoint e
  WHERE e.workspace_id = NEW.workspace_id AND e.off_reason IS NULL AND 'approval.reminder' = ANY (e.types)
    AND (e.group_name IS NULL OR EXISTS (
      SELECT FROM approval a WHERE a.id = NEW.approval_id AND e.group_name = ANY (a.named_groups)
    ))
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;
