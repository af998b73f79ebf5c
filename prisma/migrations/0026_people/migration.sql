-- CreateTable
CREATE TABLE "session" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "address" TEXT NOT NULL,
    "user_agent" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "proved_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "invite" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "hash" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "auditor" BOOLEAN NOT NULL DEFAULT false,
    "created_by" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),
    "used_by" UUID,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "invite_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "session_user_id_idx" ON "session"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "invite_hash_key" ON "invite"("hash");

-- CreateIndex
CREATE INDEX "invite_workspace_id_created_at_idx" ON "invite"("workspace_id", "created_at");

-- AddForeignKey
ALTER TABLE "session" ADD CONSTRAINT "session_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "app_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "session"
  ADD CONSTRAINT "session_address_check" CHECK (char_length(address) <= 64),
  ADD CONSTRAINT "session_user_agent_check" CHECK (char_length(user_agent) <= 200);
ALTER TABLE "invite"
  ADD CONSTRAINT "invite_role_check" CHECK (role IN ('viewer', 'builder', 'reviewer', 'admin')),
  ADD CONSTRAINT "invite_used_check" CHECK ((used_at IS NULL) = (used_by IS NULL)),
  ADD CONSTRAINT "invite_email_check" CHECK (char_length(email) BETWEEN 3 AND 254);

-- What is revoked stays revoked, and what is used up stays used up, whoever asks.
CREATE FUNCTION "keep_session_revoked"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS DISTINCT FROM OLD.revoked_at THEN
    RAISE EXCEPTION 'a revoked session stays revoked' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER "keep_session_revoked" BEFORE UPDATE ON "session" FOR EACH ROW EXECUTE FUNCTION "keep_session_revoked"();

CREATE FUNCTION "keep_invite_closed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.used_at IS NOT NULL OR OLD.revoked_at IS NOT NULL THEN
    RAISE EXCEPTION 'an invite that is used up or withdrawn stays so' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER "keep_invite_closed" BEFORE UPDATE ON "invite" FOR EACH ROW EXECUTE FUNCTION "keep_invite_closed"();
CREATE TRIGGER "no_delete" BEFORE DELETE OR TRUNCATE ON "invite" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();

-- The web process makes nobody a member but by an invite that the runner has on record: in a new workspace the first one,
-- in the demo the accounts that have no password.
CREATE FUNCTION "guard_membership"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_user = 'countersign_web'
    AND EXISTS (SELECT FROM membership m WHERE m.workspace_id = NEW.workspace_id)
    AND NOT EXISTS (SELECT FROM workspace w WHERE w.id = NEW.workspace_id AND w.demo)
    AND NOT EXISTS (
      SELECT FROM invite i
      WHERE i.workspace_id = NEW.workspace_id AND i.used_by = NEW.user_id AND i.used_at > now() - interval '1 minute'
        AND i.role = NEW.role AND i.auditor = NEW.auditor)
  THEN
    RAISE EXCEPTION 'nobody becomes a member without an invite' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER "guard_membership" BEFORE INSERT ON "membership" FOR EACH ROW EXECUTE FUNCTION "guard_membership"();

GRANT SELECT ON "session", "invite" TO countersign_web, countersign_runner;
GRANT INSERT, DELETE, UPDATE ("seen_at", "proved_at", "revoked_at") ON "session" TO countersign_web;
GRANT UPDATE ("revoked_at") ON "session" TO countersign_runner;
GRANT INSERT, UPDATE ("revoked_at") ON "invite" TO countersign_runner;
GRANT UPDATE ("used_at", "used_by") ON "invite" TO countersign_web;

-- Roles, add-ons and who is disabled are changed by the runner, with a record; people change their own name and password.
REVOKE UPDATE ON "membership", "app_user" FROM countersign_web;
GRANT UPDATE ("name", "password_hash") ON "app_user" TO countersign_web;
GRANT UPDATE ("disabled_at", "session_version") ON "app_user" TO countersign_runner;
GRANT UPDATE ("role", "auditor") ON "membership" TO countersign_runner;
