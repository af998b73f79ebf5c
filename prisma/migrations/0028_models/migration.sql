-- CreateTable
CREATE TABLE "model_provider" (
    "workspace_id" UUID NOT NULL,
    "id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "base_url" TEXT,
    "allow_local" BOOLEAN NOT NULL DEFAULT false,
    "key_version" INTEGER NOT NULL DEFAULT 0,
    "revision" INTEGER NOT NULL DEFAULT 1,
    "test" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "changed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "model_provider_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "model_setting" (
    "workspace_id" UUID NOT NULL,
    "model" TEXT NOT NULL,
    "allowed" BOOLEAN NOT NULL,
    "price" JSONB,
    "defaults" TEXT[],
    "revision" INTEGER NOT NULL DEFAULT 1,
    "changed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "model_setting_pkey" PRIMARY KEY ("workspace_id","model")
);

ALTER TABLE "model_provider"
  ADD CONSTRAINT "model_provider_id_is_a_name" CHECK ("id" ~ '^[a-z][a-z0-9-]{0,39}$'),
  ADD CONSTRAINT "model_provider_kind_is_known" CHECK ("kind" IN ('anthropic', 'openai', 'openai-compatible')),
  ADD CONSTRAINT "model_provider_is_bounded" CHECK (char_length("name") BETWEEN 1 AND 120 AND char_length("base_url") <= 2000);
ALTER TABLE "model_setting"
  ADD CONSTRAINT "model_setting_is_bounded" CHECK (char_length("model") BETWEEN 3 AND 120 AND octet_length("price"::text) <= 2000);

-- A workspace sees only itself; the runner serves all of them.
DO $$
DECLARE
  owned text;
BEGIN
  FOREACH owned IN ARRAY ARRAY['model_provider', 'model_setting'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', owned);
    EXECUTE format(
      'CREATE POLICY "web_sees_its_workspace" ON %I FOR ALL TO countersign_web
         USING (workspace_id = nullif(current_setting(''countersign.workspace'', true), '''')::uuid)
         WITH CHECK (workspace_id = nullif(current_setting(''countersign.workspace'', true), '''')::uuid)', owned);
    EXECUTE format('CREATE POLICY "runner_serves_all" ON %I FOR ALL TO countersign_runner USING (true) WITH CHECK (true)', owned);
  END LOOP;
END
$$;

-- The web process asks; what is changed, the runner changes, in the transaction of the record that says who asked.
GRANT SELECT ON "model_provider", "model_setting" TO countersign_web;
GRANT SELECT, INSERT, UPDATE, DELETE ON "model_provider", "model_setting" TO countersign_runner;

-- A provider's key comes with the step that sets it, and goes with its provider: in the same transaction.
GRANT INSERT ("workspace_id", "name", "sealed", "created_by"), UPDATE ("version", "rotated_at"), DELETE ON "secret" TO countersign_runner;
