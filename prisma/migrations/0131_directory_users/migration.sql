-- CreateTable
CREATE TABLE "directory_user" (
    "workspace_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "user_name" TEXT NOT NULL,
    "external_id" TEXT,
    "email" TEXT,
    "display_name" TEXT,
    "formatted_name" TEXT,
    "given_name" TEXT,
    "family_name" TEXT,
    "active" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "directory_user_pkey" PRIMARY KEY ("workspace_id","user_id")
);

-- CreateIndex
CREATE INDEX "directory_user_workspace_id_external_id_idx" ON "directory_user"("workspace_id", "external_id");

CREATE UNIQUE INDEX "directory_user_name_key" ON "directory_user" ("workspace_id", lower("user_name"));

ALTER TABLE "directory_user" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "web_sees_its_workspace" ON "directory_user" FOR ALL TO countersign_web
  USING (workspace_id = nullif(current_setting('countersign.workspace', true), '')::uuid)
  WITH CHECK (workspace_id = nullif(current_setting('countersign.workspace', true), '')::uuid);
CREATE POLICY "runner_serves_all" ON "directory_user" FOR ALL TO countersign_runner USING (true) WITH CHECK (true);

-- Only the runner changes it, with a record.
GRANT SELECT ON "directory_user" TO countersign_web, countersign_runner;
GRANT INSERT, UPDATE, DELETE ON "directory_user" TO countersign_runner;

-- The runner renames only people whom a directory describes, and who are in no other workspace.
CREATE FUNCTION "rename_directory_user"("workspace" uuid, "person" uuid, "shown" text, "address" text) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  UPDATE app_user SET name = shown, email = address
  WHERE id = person AND EXISTS (SELECT FROM directory_user d WHERE d.workspace_id = workspace AND d.user_id = person)
    AND NOT EXISTS (SELECT FROM membership m WHERE m.user_id = person AND m.workspace_id <> workspace)
$$;
REVOKE ALL ON FUNCTION "rename_directory_user"(uuid, uuid, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION "rename_directory_user"(uuid, uuid, text, text) TO countersign_runner;
