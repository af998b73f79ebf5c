-- Thousands of starts can wait to be decided: workspaces take turns, and each is served in order.
CREATE INDEX "command_queue" ON "command"("workspace_id", "created_at") WHERE "status" = 'pending' AND "kind" = 'start';
