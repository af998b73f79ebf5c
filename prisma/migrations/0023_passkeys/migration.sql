-- CreateTable
CREATE TABLE "passkey" (
    "workspace_id" UUID NOT NULL,
    "credential_id" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "public_key" TEXT NOT NULL,
    "rp_id" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "counter" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "record_seq" INTEGER NOT NULL,
    "revoked_seq" INTEGER,

    CONSTRAINT "passkey_pkey" PRIMARY KEY ("workspace_id","credential_id")
);

-- CreateTable
CREATE TABLE "passkey_challenge" (
    "workspace_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "challenge" TEXT NOT NULL,
    "rp_id" TEXT NOT NULL,
    "origin" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "passkey_challenge_pkey" PRIMARY KEY ("workspace_id","user_id")
);

-- CreateIndex
CREATE INDEX "passkey_workspace_id_user_id_idx" ON "passkey"("workspace_id", "user_id");

-- Every passkey has the record that it was registered by, and is revoked by one or not at all.
ALTER TABLE "passkey"
  ADD CONSTRAINT "passkey_record_seq_check" CHECK (record_seq >= 0),
  ADD CONSTRAINT "passkey_revoked_check" CHECK ((revoked_at IS NULL) = (revoked_seq IS NULL)),
  ADD CONSTRAINT "passkey_label_check" CHECK (char_length(label) BETWEEN 1 AND 100);

-- What is revoked stays revoked, whoever asks.
CREATE FUNCTION "keep_passkey_revoked"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS DISTINCT FROM OLD.revoked_at THEN
    RAISE EXCEPTION 'a revoked passkey stays revoked' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER "keep_passkey_revoked" BEFORE UPDATE ON "passkey" FOR EACH ROW EXECUTE FUNCTION "keep_passkey_revoked"();
CREATE TRIGGER "no_delete" BEFORE DELETE OR TRUNCATE ON "passkey" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();

-- A workspace sees only itself; the runner serves all of them.
ALTER TABLE "passkey" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "web_sees_its_workspace" ON "passkey" FOR ALL TO countersign_web
  USING (workspace_id = nullif(current_setting('countersign.workspace', true), '')::uuid)
  WITH CHECK (workspace_id = nullif(current_setting('countersign.workspace', true), '')::uuid);
CREATE POLICY "runner_serves_all" ON "passkey" FOR ALL TO countersign_runner USING (true) WITH CHECK (true);
ALTER TABLE "passkey_challenge" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "web_sees_its_workspace" ON "passkey_challenge" FOR ALL TO countersign_web
  USING (workspace_id = nullif(current_setting('countersign.workspace', true), '')::uuid)
  WITH CHECK (workspace_id = nullif(current_setting('countersign.workspace', true), '')::uuid);

-- The web process names them and asks the challenge; that one is registered or revoked only the runner says, with a record.
GRANT SELECT ON "passkey" TO countersign_web, countersign_runner;
GRANT UPDATE ("label") ON "passkey" TO countersign_web;
GRANT INSERT ON "passkey" TO countersign_runner;
GRANT UPDATE ("counter", "last_used_at", "revoked_at", "revoked_seq") ON "passkey" TO countersign_runner;
GRANT SELECT, INSERT, UPDATE, DELETE ON "passkey_challenge" TO countersign_web;
