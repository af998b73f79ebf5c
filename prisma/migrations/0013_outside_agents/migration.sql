-- AlterTable
ALTER TABLE "run" ADD COLUMN     "collected_at" TIMESTAMPTZ(3),
ADD COLUMN     "retain_until" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "command" ADD COLUMN     "session_id" UUID,
ADD COLUMN     "token_id" UUID,
ALTER COLUMN "user_id" DROP NOT NULL;

-- CreateTable
CREATE TABLE "agent_token" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "hint" TEXT NOT NULL,
    "audience" TEXT NOT NULL,
    "scopes" TEXT[],
    "graphs" UUID[],
    "all_graphs" BOOLEAN NOT NULL DEFAULT false,
    "integrity" TEXT NOT NULL DEFAULT 'untrusted',
    "strict_errors" BOOLEAN NOT NULL DEFAULT false,
    "single_block" BOOLEAN NOT NULL DEFAULT false,
    "owner_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "agent_token_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "agent_session" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "token_id" UUID NOT NULL,
    "graph_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "agent_session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "agent_session_run" (
    "workspace_id" UUID NOT NULL,
    "session_id" UUID NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "run_id" UUID NOT NULL,
    "cause" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "agent_session_run_pkey" PRIMARY KEY ("session_id","ordinal")
);

-- CreateIndex
CREATE UNIQUE INDEX "agent_token_hash_key" ON "agent_token"("hash");

-- CreateIndex
CREATE INDEX "agent_token_workspace_id_created_at_idx" ON "agent_token"("workspace_id", "created_at");

-- CreateIndex
CREATE INDEX "agent_session_workspace_id_token_id_idx" ON "agent_session"("workspace_id", "token_id");

-- CreateIndex
CREATE UNIQUE INDEX "agent_session_run_run_id_key" ON "agent_session_run"("run_id");

-- AddForeignKey
ALTER TABLE "agent_session" ADD CONSTRAINT "agent_session_token_id_fkey" FOREIGN KEY ("token_id") REFERENCES "agent_token"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agent_session_run" ADD CONSTRAINT "agent_session_run_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "agent_session"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- A command is somebody's: a person's or an outside agent's.
ALTER TABLE "command" ADD CONSTRAINT "command_by_one" CHECK (num_nonnulls("user_id", "token_id") = 1);
ALTER TABLE "command" ADD CONSTRAINT "command_session_of_token" CHECK ("session_id" IS NULL OR "token_id" IS NOT NULL);
ALTER TABLE "agent_token" ADD CONSTRAINT "agent_token_integrity" CHECK ("integrity" IN ('untrusted', 'reviewed', 'trusted'));
ALTER TABLE "agent_session_run" ADD CONSTRAINT "agent_session_run_cause" CHECK ("cause" IN ('start', 'reset', 'fork'));

-- Which workspace a token is of: asked before any workspace is known, so nothing else is told.
CREATE FUNCTION "agent_token_workspace"("token_hash" text) RETURNS uuid LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT workspace_id FROM "agent_token" WHERE hash = token_hash
$$;
REVOKE ALL ON FUNCTION "agent_token_workspace"(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION "agent_token_workspace"(text) TO countersign_web;

-- What a session drove stays its history.
CREATE TRIGGER "insert_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "agent_session_run" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();

-- A workspace sees only itself; the runner serves all of them.
DO $$
DECLARE
  owned text;
BEGIN
  FOREACH owned IN ARRAY ARRAY['agent_token', 'agent_session', 'agent_session_run'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', owned);
    EXECUTE format(
      'CREATE POLICY "web_sees_its_workspace" ON %I FOR ALL TO countersign_web
         USING (workspace_id = nullif(current_setting(''countersign.workspace'', true), '''')::uuid)
         WITH CHECK (workspace_id = nullif(current_setting(''countersign.workspace'', true), '''')::uuid)', owned);
    EXECUTE format('CREATE POLICY "runner_serves_all" ON %I FOR ALL TO countersign_runner USING (true) WITH CHECK (true)', owned);
  END LOOP;
END
$$;

GRANT SELECT ON "agent_token", "agent_session", "agent_session_run" TO countersign_web, countersign_runner;
GRANT INSERT ON "agent_token", "agent_session", "agent_session_run" TO countersign_web;
-- What a token may do is decided when it is made; afterwards it can only be revoked.
GRANT UPDATE ("revoked_at", "last_used_at") ON "agent_token" TO countersign_web;
GRANT UPDATE ("revoked_at", "last_used_at", "expires_at") ON "agent_session" TO countersign_web;
