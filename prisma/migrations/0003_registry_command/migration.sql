-- Commands to the MCP registry: asked for by the web process, carried out by the runner.

CREATE TABLE "registry_command" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "body" JSONB NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "outcome" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "decided_at" TIMESTAMPTZ(3),

    CONSTRAINT "registry_command_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "registry_command_status_created_at_idx" ON "registry_command"("status", "created_at");

ALTER TABLE "registry_command" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "web_sees_its_workspace" ON "registry_command" FOR ALL TO countersign_web
  USING (workspace_id = nullif(current_setting('countersign.workspace', true), '')::uuid)
  WITH CHECK (workspace_id = nullif(current_setting('countersign.workspace', true), '')::uuid);
CREATE POLICY "runner_serves_all" ON "registry_command" FOR ALL TO countersign_runner USING (true) WITH CHECK (true);

-- The web process asks and reads the answer; only the runner answers, and nobody changes what was asked.
GRANT SELECT, INSERT ON "registry_command" TO countersign_web;
GRANT SELECT ON "registry_command" TO countersign_runner;
GRANT UPDATE ("status", "outcome", "decided_at") ON "registry_command" TO countersign_runner;

-- Tools that were never pinned leave the registry when their server no longer has them.
GRANT DELETE ON "mcp_tool" TO countersign_runner;
