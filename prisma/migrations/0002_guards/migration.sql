-- Who may do what, enforced by the database. The roles exist already: server/db/roles.ts makes them.

-- 1. What was written stays written -----------------------------------------------------------------------------------

CREATE FUNCTION "refuse_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is insert-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'insufficient_privilege';
END
$$;

CREATE TRIGGER "insert_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "ledger_record" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "insert_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "cell" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "insert_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "graph_revision" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "insert_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "graph_version" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();

-- 2. A workspace sees only itself -------------------------------------------------------------------------------------

-- The web process names the workspace for each transaction; without it, it sees nothing. The runner serves all of them.
-- The setting is compared as a uuid, so that anything else is an error and not a workspace.
DO $$
DECLARE
  owned text;
BEGIN
  FOREACH owned IN ARRAY ARRAY['agent', 'graph', 'graph_revision', 'graph_version', 'mcp_server', 'mcp_tool', 'run',
                               'ledger_record', 'cell', 'approval', 'command'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', owned);
    EXECUTE format(
      'CREATE POLICY "web_sees_its_workspace" ON %I FOR ALL TO countersign_web
         USING (workspace_id = nullif(current_setting(''countersign.workspace'', true), '''')::uuid)
         WITH CHECK (workspace_id = nullif(current_setting(''countersign.workspace'', true), '''')::uuid)', owned);
    EXECUTE format('CREATE POLICY "runner_serves_all" ON %I FOR ALL TO countersign_runner USING (true) WITH CHECK (true)', owned);
  END LOOP;
END
$$;

-- 3. Grants -----------------------------------------------------------------------------------------------------------

REVOKE ALL ON SCHEMA "public" FROM PUBLIC;
GRANT USAGE ON SCHEMA "public" TO countersign_web, countersign_runner;

GRANT SELECT ON "workspace", "app_user", "membership", "setup_token", "signing_key", "agent", "graph", "graph_revision", "graph_version",
                "mcp_server", "mcp_tool", "run", "ledger_record", "cell", "approval", "command", "runner_heartbeat"
  TO countersign_web, countersign_runner;

-- The web process manages people, drafts and versions, and asks the runner for everything else by a command.
GRANT INSERT, UPDATE ON "workspace", "app_user", "membership", "setup_token", "agent", "graph" TO countersign_web;
GRANT INSERT ON "graph_revision", "graph_version", "command" TO countersign_web;

-- The runner decides: it alone writes ledgers, and even it cannot change what stands there.
GRANT INSERT ON "ledger_record", "cell" TO countersign_runner;
GRANT INSERT, UPDATE ON "run", "approval", "signing_key", "mcp_server", "mcp_tool", "runner_heartbeat" TO countersign_runner;
GRANT DELETE ON "runner_heartbeat" TO countersign_runner;
GRANT UPDATE ("status", "outcome", "decided_at") ON "command" TO countersign_runner;

-- 4. Schemas of others ------------------------------------------------------------------------------------------------

-- The job queue belongs to the runner, which makes and migrates its tables. The web process may only add jobs.
CREATE SCHEMA "pgboss" AUTHORIZATION countersign_runner;
GRANT USAGE ON SCHEMA "pgboss" TO countersign_web;
ALTER DEFAULT PRIVILEGES FOR ROLE countersign_runner IN SCHEMA "pgboss" GRANT SELECT, INSERT ON TABLES TO countersign_web;
ALTER DEFAULT PRIVILEGES FOR ROLE countersign_runner IN SCHEMA "pgboss" GRANT USAGE, SELECT ON SEQUENCES TO countersign_web;

-- The customers of the demo are somebody else's system: their server makes its own tables, and nobody else sees them.
CREATE SCHEMA "customers" AUTHORIZATION countersign_customers;
