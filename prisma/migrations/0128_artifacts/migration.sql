-- CreateTable
CREATE TABLE "artifact" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "source" TEXT NOT NULL,
    "size" INTEGER NOT NULL,
    "chunks" INTEGER NOT NULL,
    "wrapped_key" BYTEA NOT NULL,
    "given_by" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "artifact_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "artifact_chunk" (
    "workspace_id" UUID NOT NULL,
    "artifact_id" UUID NOT NULL,
    "index" INTEGER NOT NULL,
    "size" INTEGER NOT NULL,
    "sealed" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "artifact_chunk_pkey" PRIMARY KEY ("artifact_id","index")
);

-- CreateIndex
CREATE INDEX "artifact_workspace_id_source_idx" ON "artifact"("workspace_id", "source");

-- CreateIndex
CREATE INDEX "artifact_chunk_workspace_id_idx" ON "artifact_chunk"("workspace_id");

ALTER TABLE "artifact" ADD CONSTRAINT "artifact_is_known" CHECK ("source" ~ '^file:[0-9a-f]{64}$' AND "size" > 0 AND "chunks" > 0);
ALTER TABLE "artifact_chunk" ADD CONSTRAINT "artifact_chunk_is_bounded" CHECK (octet_length("sealed") <= 1048576 AND "index" >= 0);

-- Encrypted bytes do not compress.
ALTER TABLE "artifact_chunk" ALTER COLUMN "sealed" SET STORAGE EXTERNAL;

-- Which cells keep a file: their provenance names it.
CREATE FUNCTION "artifact_sources"("label" text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT ARRAY(SELECT m[1] FROM regexp_matches(label, '"(file:[0-9a-f]{64})"', 'g') AS m)
$$;
CREATE INDEX "cell_names_artifact" ON "cell" USING gin ("artifact_sources"("label")) WHERE "label" LIKE '%"file:%';

DO $$
DECLARE
  owned text;
BEGIN
  FOREACH owned IN ARRAY ARRAY['artifact', 'artifact_chunk'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', owned);
    EXECUTE format(
      'CREATE POLICY "web_sees_its_workspace" ON %I FOR ALL TO countersign_web
         USING (workspace_id = nullif(current_setting(''countersign.workspace'', true), '''')::uuid)
         WITH CHECK (workspace_id = nullif(current_setting(''countersign.workspace'', true), '''')::uuid)', owned);
    EXECUTE format('CREATE POLICY "runner_serves_all" ON %I FOR ALL TO countersign_runner USING (true) WITH CHECK (true)', owned);
  END LOOP;
END
$$;

-- What was given never changes. Only the runner destroys it.
GRANT SELECT, INSERT ("workspace_id", "id", "source", "size", "chunks", "wrapped_key", "given_by") ON "artifact" TO countersign_web;
GRANT SELECT, INSERT ("workspace_id", "artifact_id", "index", "size", "sealed") ON "artifact_chunk" TO countersign_web;
GRANT SELECT, DELETE, UPDATE ("wrapped_key"), INSERT ("workspace_id", "id", "source", "size", "chunks", "wrapped_key", "given_by") ON "artifact" TO countersign_runner;
GRANT SELECT, DELETE, INSERT ("workspace_id", "artifact_id", "index", "size", "sealed") ON "artifact_chunk" TO countersign_runner;
