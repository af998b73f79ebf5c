-- AlterTable
ALTER TABLE "mcp_server" ADD COLUMN     "looked_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "console_call" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "server_id" TEXT NOT NULL,
    "tool" TEXT NOT NULL,
    "body" BYTEA NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'waiting',
    "result" BYTEA,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "console_call_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "call_progress" (
    "workspace_id" UUID NOT NULL,
    "effect_id" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "call_progress_pkey" PRIMARY KEY ("workspace_id","effect_id")
);

-- CreateIndex
CREATE INDEX "console_call_status_created_at_idx" ON "console_call"("status", "created_at");

ALTER TABLE "console_call"
  ADD CONSTRAINT "known_status" CHECK ("status" IN ('waiting', 'working', 'done')),
  ADD CONSTRAINT "call_is_bounded" CHECK (length("server_id") <= 200 AND length("tool") <= 200 AND octet_length("body") <= 1048576);
ALTER TABLE "call_progress"
  ADD CONSTRAINT "progress_is_bounded" CHECK (length("effect_id") <= 200 AND octet_length("sealed") <= 4096);

-- A workspace sees only itself; the runner serves all of them.
DO $$
DECLARE
  owned text;
BEGIN
  FOREACH owned IN ARRAY ARRAY['console_call', 'call_progress'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', owned);
    EXECUTE format(
      'CREATE POLICY "web_sees_its_workspace" ON %I FOR ALL TO countersign_web
         USING (workspace_id = nullif(current_setting(''countersign.workspace'', true), '''')::uuid)
         WITH CHECK (workspace_id = nullif(current_setting(''countersign.workspace'', true), '''')::uuid)', owned);
    EXECUTE format('CREATE POLICY "runner_serves_all" ON %I FOR ALL TO countersign_runner USING (true) WITH CHECK (true)', owned);
  END LOOP;
END
$$;

GRANT SELECT ON "console_call", "call_progress" TO countersign_web;
-- The web process asks; what came of it only the runner says.
GRANT INSERT ("workspace_id", "id", "user_id", "server_id", "tool", "body") ON "console_call" TO countersign_web;
GRANT SELECT, UPDATE ("status", "result", "ended_at"), DELETE ON "console_call" TO countersign_runner;
GRANT SELECT, INSERT, UPDATE, DELETE ON "call_progress" TO countersign_runner;
