-- The web process reads people only in the workspace that its transaction names, and reads no secret of theirs. What has to
-- be read before a workspace is known comes from functions that answer exact arguments with one row, or tell of the demo.

-- Every request asks which workspace a person is in.
CREATE INDEX "membership_user_id_idx" ON "membership"("user_id");

-- 1. Rows -------------------------------------------------------------------------------------------------------------

DO $$
DECLARE
  named CONSTANT text := 'nullif(current_setting(''countersign.workspace'', true), '''')::uuid';
  owned text;
  condition text;
BEGIN
  FOR owned, condition IN VALUES
    ('workspace', format('id = %s', named)),
    ('membership', format('workspace_id = %s', named)),
    ('invite', format('workspace_id = %s', named)),
    ('app_user', format('EXISTS (SELECT FROM membership m WHERE m.workspace_id = %s AND m.user_id = app_user.id)', named)),
    ('session', format('EXISTS (SELECT FROM membership m WHERE m.workspace_id = %s AND m.user_id = session.user_id)', named)),
    ('identity', format('EXISTS (SELECT FROM membership m WHERE m.workspace_id = %s AND m.user_id = identity.user_id)', named))
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', owned);
    EXECUTE format('CREATE POLICY "web_sees_its_workspace" ON %I FOR ALL TO countersign_web USING (%s) WITH CHECK (%s)', owned, condition, condition);
    EXECUTE format('CREATE POLICY "runner_serves_all" ON %I FOR ALL TO countersign_runner USING (true) WITH CHECK (true)', owned);
  END LOOP;
END
$$;

-- Set-up tokens are of no workspace.
ALTER TABLE "setup_token" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "runner_serves_all" ON "setup_token" FOR ALL TO countersign_runner USING (true) WITH CHECK (true);

-- 2. Columns ----------------------------------------------------------------------------------------------------------

-- Lists say how somebody signs in.
ALTER TABLE "app_user" ADD COLUMN IF NOT EXISTS "has_password" BOOLEAN GENERATED ALWAYS AS (password_hash IS NOT NULL) STORED;

REVOKE SELECT ON "app_user", "invite", "setup_token" FROM countersign_web;
GRANT SELECT ("id", "email", "name", "demo", "session_version", "disabled_at", "created_at", "has_password") ON "app_user" TO countersign_web;
GRANT SELECT ("id", "workspace_id", "email", "role", "auditor", "created_by", "created_at", "expires_at", "used_at", "used_by", "revoked_at")
  ON "invite" TO countersign_web;

-- 3. Before a workspace is known --------------------------------------------------------------------------------------

-- A person with their oldest workspace, as nobody is in two yet.
CREATE FUNCTION "member_of"("person" uuid)
  RETURNS TABLE ("id" uuid, "name" text, "email" text, "demo" boolean, "session_version" integer, "disabled_at" timestamptz,
                 "has_password" boolean, "workspace_id" uuid, "workspace_name" text, "workspace_demo" boolean, "role" text, "auditor" boolean)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT u.id, u.name, u.email, u.demo, u.session_version, u.disabled_at, u.has_password, w.id, w.name, w.demo, m.role, m.auditor
  FROM membership m JOIN app_user u ON u.id = m.user_id JOIN workspace w ON w.id = m.workspace_id
  WHERE m.user_id = person ORDER BY w.created_at, w.id LIMIT 1
$$;

-- A person's session that is not revoked.
CREATE FUNCTION "open_session"("session" uuid, "person" uuid)
  RETURNS TABLE ("id" uuid, "user_id" uuid, "address" text, "user_agent" text, "created_at" timestamptz, "seen_at" timestamptz,
                 "proved_at" timestamptz)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT s.id, s.user_id, s.address, s.user_agent, s.created_at, s.seen_at, s.proved_at FROM session s
  WHERE s.id = $1 AND s.user_id = person AND s.revoked_at IS NULL
$$;

-- The workspace that a session which is not revoked works in.
CREATE FUNCTION "session_workspace"("session" uuid)
  RETURNS uuid LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT m.workspace_id FROM session s JOIN membership m ON m.user_id = s.user_id JOIN workspace w ON w.id = m.workspace_id
  WHERE s.id = $1 AND s.revoked_at IS NULL ORDER BY w.created_at, w.id LIMIT 1
$$;

-- Whether an account has ever signed in from a masked network address, as far as sessions are kept.
CREATE FUNCTION "has_signed_in_from"("account" text, "network" text)
  RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM session s JOIN app_user u ON u.id = s.user_id WHERE u.email = account AND s.address = network)
$$;

-- The open invite behind a link. A time in the past opens none that is over.
CREATE FUNCTION "open_invite"("token_hash" text, "at" timestamptz)
  RETURNS TABLE ("id" uuid, "workspace_id" uuid, "workspace" text, "email" text, "role" text, "auditor" boolean)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT i.id, i.workspace_id, w.name, i.email, i.role, i.auditor FROM invite i JOIN workspace w ON w.id = i.workspace_id
  WHERE i.hash = token_hash AND i.used_at IS NULL AND i.revoked_at IS NULL AND i.expires_at > greatest(at, now())
$$;

-- Whether the set-up link with this hash could be used.
CREATE FUNCTION "is_setup_token_open"("token_hash" text, "at" timestamptz)
  RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM setup_token t WHERE t.hash = token_hash AND t.used_at IS NULL AND t.expires_at > greatest(at, now()))
$$;

-- Whether anybody can administer this installation, the demo apart.
CREATE FUNCTION "has_admin"()
  RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM membership m JOIN app_user u ON u.id = m.user_id JOIN workspace w ON w.id = m.workspace_id
                 WHERE m.role = 'admin' AND NOT u.demo AND NOT w.demo)
$$;

-- The demo and its accounts, which everybody on this machine can use.
CREATE FUNCTION "demo_workspace"()
  RETURNS TABLE ("id" uuid, "name" text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT w.id, w.name FROM workspace w WHERE w.demo ORDER BY w.created_at LIMIT 1
$$;

CREATE FUNCTION "demo_accounts"()
  RETURNS TABLE ("id" uuid, "name" text, "session_version" integer, "role" text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT u.id, u.name, u.session_version, m.role
  FROM membership m JOIN app_user u ON u.id = m.user_id JOIN workspace w ON w.id = m.workspace_id
  WHERE w.demo AND u.demo AND u.disabled_at IS NULL ORDER BY u.email
$$;

DO $$
DECLARE
  signature text;
BEGIN
  FOREACH signature IN ARRAY ARRAY[
    'member_of(uuid)', 'open_session(uuid, uuid)', 'session_workspace(uuid)', 'has_signed_in_from(text, text)',
    'open_invite(text, timestamptz)',
    'is_setup_token_open(text, timestamptz)', 'has_admin()', 'demo_workspace()', 'demo_accounts()'] LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', signature);
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO countersign_web', signature);
  END LOOP;
END
$$;
