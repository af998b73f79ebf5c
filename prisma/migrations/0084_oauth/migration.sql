-- AlterTable
ALTER TABLE "agent_token" ADD COLUMN     "oauth" JSONB;

-- Codes and refresh tokens of a grant are found by the key that they share.
CREATE UNIQUE INDEX "agent_token_family_key" ON "agent_token" (("oauth" ->> 'familyKey'));

-- Which token a code or refresh token is of: asked before any workspace is known, so nothing else is told.
CREATE FUNCTION "agent_token_of_family"("family_key" text) RETURNS TABLE ("workspace_id" uuid, "id" uuid)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT t.workspace_id, t.id FROM "agent_token" t WHERE t.oauth ->> 'familyKey' = family_key
$$;
REVOKE ALL ON FUNCTION "agent_token_of_family"(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION "agent_token_of_family"(text) TO countersign_web;

-- A grant's secrets are replaced on record.
GRANT UPDATE ("oauth") ON "agent_token" TO countersign_runner;
