-- CreateTable
CREATE TABLE "secret" (
    "workspace_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_by" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "rotated_at" TIMESTAMPTZ(3),
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "secret_pkey" PRIMARY KEY ("workspace_id","name")
);

ALTER TABLE "secret"
  ADD CONSTRAINT "secret_name_is_bounded" CHECK (length("name") BETWEEN 1 AND 200),
  ADD CONSTRAINT "secret_is_bounded" CHECK (octet_length("sealed") BETWEEN 1 AND 65536);

-- A workspace sees only itself; the runner serves all of them.
ALTER TABLE "secret" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "web_sees_its_workspace" ON "secret" FOR ALL TO countersign_web
  USING (workspace_id = nullif(current_setting('countersign.workspace', true), '')::uuid)
  WITH CHECK (workspace_id = nullif(current_setting('countersign.workspace', true), '')::uuid);
CREATE POLICY "runner_serves_all" ON "secret" FOR ALL TO countersign_runner USING (true) WITH CHECK (true);

-- The web process can write a value, replace it and take it away. It has no right to read one, not even a sealed one.
GRANT SELECT ("workspace_id", "name", "version", "created_by", "created_at", "rotated_at", "used_at"), DELETE ON "secret" TO countersign_web;
GRANT INSERT ("workspace_id", "name", "sealed", "created_by"), UPDATE ("sealed", "version", "rotated_at") ON "secret" TO countersign_web;
GRANT SELECT, UPDATE ("sealed", "used_at") ON "secret" TO countersign_runner;
