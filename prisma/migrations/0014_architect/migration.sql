-- AlterTable
ALTER TABLE "graph_revision" ADD COLUMN     "job_id" UUID,
ADD COLUMN     "untrusted" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "architect_job" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "token_id" UUID,
    "graph_id" UUID,
    "revision" INTEGER,
    "model" TEXT NOT NULL,
    "body" BYTEA NOT NULL,
    "untrusted" BOOLEAN NOT NULL DEFAULT false,
    "status" TEXT NOT NULL DEFAULT 'queued',
    "code" TEXT,
    "attempt" INTEGER NOT NULL DEFAULT 1,
    "problems" INTEGER NOT NULL DEFAULT 0,
    "starts" INTEGER NOT NULL DEFAULT 0,
    "state" BYTEA,
    "result" BYTEA,
    "tokens" INTEGER NOT NULL DEFAULT 0,
    "cost_micro_usd" BIGINT NOT NULL DEFAULT 0,
    "cancel_requested" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "architect_job_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "publish_request" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "graph_id" UUID NOT NULL,
    "revision" INTEGER NOT NULL,
    "hash" TEXT NOT NULL,
    "base_hash" TEXT,
    "requested_by" UUID NOT NULL,
    "token_id" UUID,
    "involved" UUID[],
    "changes" JSONB NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'open',
    "decided_by" UUID,
    "reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "decided_at" TIMESTAMPTZ(3),

    CONSTRAINT "publish_request_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "architect_job_status_created_at_idx" ON "architect_job"("status", "created_at");

-- CreateIndex
CREATE INDEX "publish_request_workspace_id_graph_id_status_idx" ON "publish_request"("workspace_id", "graph_id", "status");

-- One job becomes at most one revision.
CREATE UNIQUE INDEX "graph_revision_job_id_key" ON "graph_revision"("job_id") WHERE "job_id" IS NOT NULL;
-- One question at a time for each graph.
CREATE UNIQUE INDEX "publish_request_one_open" ON "publish_request"("workspace_id", "graph_id") WHERE "status" = 'open';

ALTER TABLE "publish_request"
  ADD CONSTRAINT "known_status" CHECK ("status" IN ('open', 'approved', 'declined', 'superseded')),
  ADD CONSTRAINT "asker_is_involved" CHECK ("requested_by" = ANY ("involved")),
  -- The second person: nobody approves what they asked for or drew themselves, whatever the program thinks.
  ADD CONSTRAINT "second_person" CHECK ("status" <> 'approved' OR ("decided_by" IS NOT NULL AND NOT "decided_by" = ANY ("involved"))),
  ADD CONSTRAINT "decided_once" CHECK (("status" = 'open') = ("decided_at" IS NULL));

-- What was asked and what was decided stay; only an open question can be answered.
CREATE FUNCTION "refuse_second_decision"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.status <> 'open' THEN
    RAISE EXCEPTION 'publish_request % is decided', OLD.id USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER "decided_once" BEFORE UPDATE ON "publish_request" FOR EACH ROW EXECUTE FUNCTION "refuse_second_decision"();

-- A workspace sees only itself; the runner serves all of them.
DO $$
DECLARE
  owned text;
BEGIN
  FOREACH owned IN ARRAY ARRAY['architect_job', 'publish_request'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', owned);
    EXECUTE format(
      'CREATE POLICY "web_sees_its_workspace" ON %I FOR ALL TO countersign_web
         USING (workspace_id = nullif(current_setting(''countersign.workspace'', true), '''')::uuid)
         WITH CHECK (workspace_id = nullif(current_setting(''countersign.workspace'', true), '''')::uuid)', owned);
    EXECUTE format('CREATE POLICY "runner_serves_all" ON %I FOR ALL TO countersign_runner USING (true) WITH CHECK (true)', owned);
  END LOOP;
END
$$;

GRANT SELECT ON "architect_job", "publish_request" TO countersign_web, countersign_runner;
-- The web process asks and may take that back; what is drawn, and what it cost, only the runner says.
GRANT INSERT ("workspace_id", "id", "user_id", "token_id", "graph_id", "revision", "model", "body", "untrusted", "created_at")
  ON "architect_job" TO countersign_web;
GRANT UPDATE ("cancel_requested") ON "architect_job" TO countersign_web;
GRANT UPDATE ("status", "code", "attempt", "problems", "starts", "state", "result", "tokens", "cost_micro_usd", "started_at", "ended_at")
  ON "architect_job" TO countersign_runner;
-- People decide about publishing, so the web process alone writes here.
GRANT INSERT ON "publish_request" TO countersign_web;
GRANT UPDATE ("status", "decided_by", "reason", "decided_at") ON "publish_request" TO countersign_web;
