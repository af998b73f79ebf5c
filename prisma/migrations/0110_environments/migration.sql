-- AlterTable
ALTER TABLE "run" ADD COLUMN     "environment" TEXT;

-- CreateTable
CREATE TABLE "environment_variables" (
    "workspace_id" UUID NOT NULL,
    "environment" TEXT NOT NULL,
    "variables" JSONB NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL,
    "changed_by" UUID NOT NULL,

    CONSTRAINT "environment_variables_pkey" PRIMARY KEY ("workspace_id","environment")
);

-- A workspace sees only itself; the runner serves all of them.
ALTER TABLE "environment_variables" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "web_sees_its_workspace" ON "environment_variables" FOR ALL TO countersign_web
  USING (workspace_id = nullif(current_setting('countersign.workspace', true), '')::uuid)
  WITH CHECK (workspace_id = nullif(current_setting('countersign.workspace', true), '')::uuid);
CREATE POLICY "runner_serves_all" ON "environment_variables" FOR ALL TO countersign_runner USING (true) WITH CHECK (true);

-- Only the runner changes it, with a record.
GRANT SELECT ON "environment_variables" TO countersign_web, countersign_runner;
GRANT INSERT, UPDATE, DELETE ON "environment_variables" TO countersign_runner;
