-- The runner lets people in, publishes versions and makes tokens, each with its record. The web process asks for all of it.

REVOKE INSERT, UPDATE ON "workspace", "app_user", "membership", "setup_token" FROM countersign_web;
REVOKE UPDATE ON "invite" FROM countersign_web;
REVOKE INSERT ON "identity", "graph_version" FROM countersign_web;
REVOKE INSERT, UPDATE ON "agent_token", "publish_request" FROM countersign_web;
GRANT UPDATE ("last_used_at") ON "agent_token" TO countersign_web;

GRANT INSERT ON "workspace", "app_user", "membership", "graph_version", "agent_token", "publish_request" TO countersign_runner;
GRANT UPDATE ("password_hash") ON "app_user" TO countersign_runner;
GRANT UPDATE ("used_at") ON "setup_token" TO countersign_runner;
GRANT UPDATE ("used_at", "used_by") ON "invite" TO countersign_runner;
GRANT UPDATE ("revoked_at") ON "agent_token" TO countersign_runner;
GRANT UPDATE ("status", "decided_by", "reason", "decided_at") ON "publish_request" TO countersign_runner;
-- A graph is locked while a version of it is frozen, which takes the right to change one of its columns.
GRANT UPDATE ("updated_at") ON "graph" TO countersign_runner;

-- These looked at what the web process inserted.
DROP TRIGGER "guard_membership" ON "membership";
DROP FUNCTION "guard_membership"();
DROP TRIGGER "guard_identity" ON "identity";
DROP FUNCTION "guard_identity"();

-- Jobs are the runner's alone: it makes them when it hears of a command.
REVOKE ALL ON ALL TABLES IN SCHEMA "pgboss" FROM countersign_web;
REVOKE ALL ON ALL SEQUENCES IN SCHEMA "pgboss" FROM countersign_web;
ALTER DEFAULT PRIVILEGES FOR ROLE countersign_runner IN SCHEMA "pgboss" REVOKE ALL ON TABLES FROM countersign_web;
ALTER DEFAULT PRIVILEGES FOR ROLE countersign_runner IN SCHEMA "pgboss" REVOKE ALL ON SEQUENCES FROM countersign_web;
REVOKE USAGE ON SCHEMA "pgboss" FROM countersign_web;
