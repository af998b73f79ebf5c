-- Open circuits of model providers, shown to admins; and streamed text of model calls under way.
CREATE TABLE "provider_circuit" (
    "workspace_id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "cause" TEXT NOT NULL,
    "failures" INTEGER NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "provider_circuit_pkey" PRIMARY KEY ("workspace_id","provider")
);

-- Unlogged: nothing of a stream outlives a crash.
CREATE UNLOGGED TABLE "said_so_far" (
    "workspace_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "task" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "said_so_far_pkey" PRIMARY KEY ("workspace_id","run_id","task")
);

ALTER TABLE "provider_circuit"
  ADD CONSTRAINT "known_cause" CHECK ("cause" IN ('rate_limited', 'unreachable', 'failing')),
  ADD CONSTRAINT "circuit_is_bounded" CHECK (length("provider") <= 100);
ALTER TABLE "said_so_far"
  ADD CONSTRAINT "said_is_bounded" CHECK (length("task") <= 200 AND octet_length("sealed") <= 65536);

-- A workspace sees only itself; the runner serves all of them.
DO $$
DECLARE
  owned text;
BEGIN
  FOREACH owned IN ARRAY ARRAY['provider_circuit', 'said_so_far'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', owned);
    EXECUTE format(
      'CREATE POLICY "web_sees_its_workspace" ON %I FOR ALL TO countersign_web
         USING (workspace_id = nullif(current_setting(''countersign.workspace'', true), '''')::uuid)
         WITH CHECK (workspace_id = nullif(current_setting(''countersign.workspace'', true), '''')::uuid)', owned);
    EXECUTE format('CREATE POLICY "runner_serves_all" ON %I FOR ALL TO countersign_runner USING (true) WITH CHECK (true)', owned);
  END LOOP;
END
$$;

GRANT SELECT ON "provider_circuit", "said_so_far" TO countersign_web;
GRANT SELECT, INSERT, UPDATE, DELETE ON "provider_circuit", "said_so_far" TO countersign_runner;
