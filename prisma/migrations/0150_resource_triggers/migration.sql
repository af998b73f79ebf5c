ALTER TABLE "graph_trigger" DROP CONSTRAINT "graph_trigger_kind_is_known";
ALTER TABLE "graph_trigger"
  ADD CONSTRAINT "graph_trigger_kind_is_known" CHECK ("kind" IN ('webhook', 'schedule', 'email', 'mcp_resource', 'run_end'));
ALTER TABLE "trigger_event" DROP CONSTRAINT "trigger_event_is_known";
ALTER TABLE "trigger_event"
  ADD CONSTRAINT "trigger_event_is_known" CHECK (
    "kind" IN ('webhook', 'schedule', 'email', 'mcp_resource', 'run_end')
    AND "status" IN ('pending', 'queued', 'accepted', 'started', 'refused')
  );
