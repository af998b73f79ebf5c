-- CreateTable
CREATE TABLE "idempotency_key" (
    "workspace_id" UUID NOT NULL,
    "token_id" UUID NOT NULL,
    "key_digest" TEXT NOT NULL,
    "request_digest" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_key_pkey" PRIMARY KEY ("token_id","key_digest")
);

-- CreateIndex
CREATE INDEX "idempotency_key_created_at_idx" ON "idempotency_key"("created_at");

ALTER TABLE "idempotency_key" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "web_sees_its_workspace" ON "idempotency_key" FOR ALL TO countersign_web
  USING (workspace_id = nullif(current_setting('countersign.workspace', true), '')::uuid)
  WITH CHECK (workspace_id = nullif(current_setting('countersign.workspace', true), '')::uuid);
CREATE POLICY "runner_serves_all" ON "idempotency_key" FOR ALL TO countersign_runner USING (true) WITH CHECK (true);
-- A key names a command and gives no right; it ends after a day.
GRANT SELECT, INSERT, DELETE ON "idempotency_key" TO countersign_web;

-- A service account's secret is replaced on record.
GRANT UPDATE ("hash", "public_key", "hint", "expires_at") ON "agent_token" TO countersign_runner;
