-- Open circuits of model providers, shown to admins.
-- CreateTable
CREATE TABLE "provider_circuit" (
    "workspace_id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "cause" TEXT NOT NULL,
    "failures" INTEGER NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "provider_circuit_pkey" PRIMARY KEY ("workspace_id","provider")
);

ALTER TABLE "provider_circuit"
  ADD CONSTRAINT "known_cause" CHECK ("cause" IN ('rate_limited', 'unreachable', 'failing')),
  ADD CONSTRAINT "circuit_is_bounded" CHECK (length("provider") <= 100);

-- A workspace sees only itself; the runner serves all of them.
ALTER TABLE "provider_circuit" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "web_sees_its_workspace" ON "provider_circuit" FOR ALL TO countersign_web
  USING (workspace_id = nullif(current_setting('countersign.workspace', true), '')::uuid)
  WITH CHECK (workspace_id = nullif(current_setting('countersign.workspace', true), '')::uuid);
CREATE POLICY "runner_serves_all" ON "provider_circuit" FOR ALL TO countersign_runner USING (true) WITH CHECK (true);

GRANT SELECT ON "provider_circuit" TO countersign_web;
GRANT SELECT, INSERT, UPDATE, DELETE ON "provider_circuit" TO countersign_runner;
