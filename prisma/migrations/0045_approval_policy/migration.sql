-- CreateTable
CREATE TABLE "approval_policy" (
    "workspace_id" UUID NOT NULL,
    "approvals" TEXT,
    "request_id" UUID,
    "requested_by" UUID,
    "requested_at" TIMESTAMPTZ(3),

    CONSTRAINT "approval_policy_pkey" PRIMARY KEY ("workspace_id")
);

ALTER TABLE "approval_policy"
  ADD CONSTRAINT "approval_policy_approvals_check" CHECK (approvals IN ('write', 'graph')),
  ADD CONSTRAINT "approval_policy_request_check" CHECK (num_nonnulls(request_id, requested_by, requested_at) IN (0, 3));

-- A workspace sees only itself; the runner serves all of them.
ALTER TABLE "approval_policy" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "web_sees_its_workspace" ON "approval_policy" FOR ALL TO countersign_web
  USING (workspace_id = nullif(current_setting('countersign.workspace', true), '')::uuid)
  WITH CHECK (workspace_id = nullif(current_setting('countersign.workspace', true), '')::uuid);
CREATE POLICY "runner_serves_all" ON "approval_policy" FOR ALL TO countersign_runner USING (true) WITH CHECK (true);

-- Only the runner changes it, with a record.
GRANT SELECT ON "approval_policy" TO countersign_web, countersign_runner;
GRANT INSERT, UPDATE ON "approval_policy" TO countersign_runner;
