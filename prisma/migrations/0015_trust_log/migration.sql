-- CreateTable
CREATE TABLE "trust_event" (
    "workspace_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "seq" INTEGER NOT NULL,
    "index" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "type" TEXT NOT NULL,
    "node" TEXT,
    "principal" TEXT NOT NULL,
    "path" TEXT,
    "detail" TEXT NOT NULL,

    CONSTRAINT "trust_event_pkey" PRIMARY KEY ("run_id","seq","index")
);

-- CreateTable
CREATE TABLE "trust_query" (
    "workspace_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "query" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "trust_query_pkey" PRIMARY KEY ("workspace_id","user_id","id")
);

-- CreateIndex
CREATE INDEX "trust_event_workspace_id_at_run_id_seq_index_idx" ON "trust_event"("workspace_id", "at", "run_id", "seq", "index");

-- CreateIndex
CREATE INDEX "trust_event_workspace_id_type_at_idx" ON "trust_event"("workspace_id", "type", "at");

-- What was written stays written.
CREATE TRIGGER "insert_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "trust_event" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();

-- A workspace sees only itself; the runner serves all of them.
ALTER TABLE "trust_event" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "trust_query" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "web_sees_its_workspace" ON "trust_event" FOR ALL TO countersign_web
  USING (workspace_id = nullif(current_setting('countersign.workspace', true), '')::uuid)
  WITH CHECK (workspace_id = nullif(current_setting('countersign.workspace', true), '')::uuid);
CREATE POLICY "web_sees_its_workspace" ON "trust_query" FOR ALL TO countersign_web
  USING (workspace_id = nullif(current_setting('countersign.workspace', true), '')::uuid)
  WITH CHECK (workspace_id = nullif(current_setting('countersign.workspace', true), '')::uuid);
CREATE POLICY "runner_serves_all" ON "trust_event" FOR ALL TO countersign_runner USING (true) WITH CHECK (true);

GRANT SELECT ON "trust_event" TO countersign_web, countersign_runner;
-- Only the runner adds to it, with the record that it is about; nobody changes what stands there.
GRANT INSERT ON "trust_event" TO countersign_runner;
-- What somebody keeps under a name is theirs to throw away. The runner has no business with it.
GRANT SELECT, INSERT, DELETE ON "trust_query" TO countersign_web;
