-- CreateTable
CREATE TABLE "run_attestation" (
    "workspace_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "head" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "kid" TEXT NOT NULL,
    "signature" TEXT NOT NULL,

    CONSTRAINT "run_attestation_pkey" PRIMARY KEY ("run_id","version","at")
);

-- What the runner signed stays: by trigger and by role.
CREATE TRIGGER "insert_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "run_attestation" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();

-- A workspace sees only itself; the runner serves all of them.
ALTER TABLE "run_attestation" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "web_sees_its_workspace" ON "run_attestation" FOR ALL TO countersign_web
  USING (workspace_id = nullif(current_setting('countersign.workspace', true), '')::uuid)
  WITH CHECK (workspace_id = nullif(current_setting('countersign.workspace', true), '')::uuid);
CREATE POLICY "runner_serves_all" ON "run_attestation" FOR ALL TO countersign_runner USING (true) WITH CHECK (true);

GRANT SELECT ON "run_attestation" TO countersign_web, countersign_runner;
GRANT INSERT ON "run_attestation" TO countersign_runner;
