-- The log of each workspace's records, and what the runner signed about it.

CREATE TABLE "log_leaf" (
    "workspace_id" UUID NOT NULL,
    "index" BIGINT NOT NULL,
    "run_id" UUID NOT NULL,
    "seq" INTEGER NOT NULL,
    "digest" TEXT NOT NULL,

    CONSTRAINT "log_leaf_pkey" PRIMARY KEY ("workspace_id","index")
);

CREATE TABLE "checkpoint" (
    "workspace_id" UUID NOT NULL,
    "count" BIGINT NOT NULL,
    "root" TEXT NOT NULL,
    "frontier" TEXT[],
    "at" BIGINT NOT NULL,
    "kid" TEXT NOT NULL,
    "signature" TEXT NOT NULL,

    CONSTRAINT "checkpoint_pkey" PRIMARY KEY ("workspace_id","count")
);

CREATE UNIQUE INDEX "log_leaf_run_id_seq_key" ON "log_leaf"("run_id", "seq");

-- What was written stays written.
CREATE TRIGGER "insert_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "log_leaf" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "insert_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "checkpoint" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();

-- A workspace sees only itself; the runner serves all of them.
DO $$
DECLARE
  owned text;
BEGIN
  FOREACH owned IN ARRAY ARRAY['log_leaf', 'checkpoint'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', owned);
    EXECUTE format(
      'CREATE POLICY "web_sees_its_workspace" ON %I FOR ALL TO countersign_web
         USING (workspace_id = nullif(current_setting(''countersign.workspace'', true), '''')::uuid)
         WITH CHECK (workspace_id = nullif(current_setting(''countersign.workspace'', true), '''')::uuid)', owned);
    EXECUTE format('CREATE POLICY "runner_serves_all" ON %I FOR ALL TO countersign_runner USING (true) WITH CHECK (true)', owned);
  END LOOP;
END
$$;

GRANT SELECT ON "log_leaf", "checkpoint" TO countersign_web, countersign_runner;
-- Only the runner adds to it, and even it cannot change what stands there.
GRANT INSERT ON "log_leaf", "checkpoint" TO countersign_runner;
