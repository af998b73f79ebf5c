-- People may be in several workspaces: being disabled, and which sessions count, is said per membership, as its ledger does.
ALTER TABLE "membership"
  ADD COLUMN "disabled_at" TIMESTAMPTZ(3),
  ADD COLUMN "session_version" INTEGER NOT NULL DEFAULT 1;
UPDATE "membership" m SET disabled_at = u.disabled_at, session_version = u.session_version FROM "app_user" u WHERE u.id = m.user_id;

-- A session is of one workspace: so far each person's oldest.
ALTER TABLE "session" ADD COLUMN "workspace_id" UUID;
UPDATE "session" s SET workspace_id = (
  SELECT w.id FROM "membership" m JOIN "workspace" w ON w.id = m.workspace_id WHERE m.user_id = s.user_id ORDER BY w.created_at, w.id LIMIT 1);
DELETE FROM "session" WHERE workspace_id IS NULL;
ALTER TABLE "session" ALTER COLUMN "workspace_id" SET NOT NULL;
DROP INDEX "session_user_id_idx";
CREATE INDEX "session_user_id_workspace_id_idx" ON "session"("user_id", "workspace_id");

DROP POLICY "web_sees_its_workspace" ON "session";
CREATE POLICY "web_sees_its_workspace" ON "session" FOR ALL TO countersign_web
  USING (workspace_id = nullif(current_setting('countersign.workspace', true), '')::uuid)
  WITH CHECK (workspace_id = nullif(current_setting('countersign.workspace', true), '')::uuid);

ALTER TABLE "app_user" DROP COLUMN "disabled_at", DROP COLUMN "session_version";
GRANT UPDATE ("disabled_at", "session_version") ON "membership" TO countersign_runner;

-- The operator's link for a further workspace.
GRANT INSERT ON "setup_token" TO countersign_runner;

DROP FUNCTION "member_of"(uuid);
-- A person in the workspace of their session.
CREATE FUNCTION "member_of"("person" uuid, "session" uuid)
  RETURNS TABLE ("id" uuid, "name" text, "email" text, "demo" boolean, "session_version" integer, "disabled_at" timestamptz,
                 "has_password" boolean, "workspace_id" uuid, "workspace_name" text, "workspace_demo" boolean, "role" text, "auditor" boolean)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT u.id, u.name, u.email, u.demo, m.session_version, m.disabled_at, u.has_password, w.id, w.name, w.demo, m.role, m.auditor
  FROM session s JOIN membership m ON m.user_id = s.user_id AND m.workspace_id = s.workspace_id
    JOIN app_user u ON u.id = m.user_id JOIN workspace w ON w.id = m.workspace_id
  WHERE s.id = $2 AND s.user_id = person
$$;

-- The workspaces that the person of an open session is in, oldest first.
CREATE FUNCTION "session_memberships"("session" uuid)
  RETURNS TABLE ("user_id" uuid, "workspace_id" uuid, "name" text, "demo" boolean, "role" text, "auditor" boolean, "is_current" boolean)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT m.user_id, w.id, w.name, w.demo, m.role, m.auditor, w.id = s.workspace_id
  FROM session s JOIN membership m ON m.user_id = s.user_id JOIN workspace w ON w.id = m.workspace_id
  WHERE s.id = $1 AND s.revoked_at IS NULL AND m.disabled_at IS NULL ORDER BY w.created_at, w.id
$$;

CREATE OR REPLACE FUNCTION "session_workspace"("session" uuid)
  RETURNS uuid LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT s.workspace_id FROM session s WHERE s.id = $1 AND s.revoked_at IS NULL
$$;

DROP FUNCTION "open_invite"(text, timestamptz);
-- `known`: the address has an account, which accepts the invite itself.
CREATE FUNCTION "open_invite"("token_hash" text, "at" timestamptz)
  RETURNS TABLE ("id" uuid, "workspace_id" uuid, "workspace" text, "email" text, "role" text, "auditor" boolean, "known" boolean)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT i.id, i.workspace_id, w.name, i.email, i.role, i.auditor, EXISTS (SELECT FROM app_user u WHERE u.email = i.email)
  FROM invite i JOIN workspace w ON w.id = i.workspace_id
  WHERE i.hash = token_hash AND i.used_at IS NULL AND i.revoked_at IS NULL AND i.expires_at > greatest(at, now())
$$;

CREATE OR REPLACE FUNCTION "demo_accounts"()
  RETURNS TABLE ("id" uuid, "name" text, "session_version" integer, "role" text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT u.id, u.name, m.session_version, m.role
  FROM membership m JOIN app_user u ON u.id = m.user_id JOIN workspace w ON w.id = m.workspace_id
  WHERE w.demo AND u.demo AND m.disabled_at IS NULL ORDER BY u.email
$$;

DO $$
DECLARE
  signature text;
BEGIN
  FOREACH signature IN ARRAY ARRAY['member_of(uuid, uuid)', 'session_memberships(uuid)', 'open_invite(text, timestamptz)'] LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', signature);
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO countersign_web', signature);
  END LOOP;
END
$$;
