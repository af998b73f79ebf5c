-- What a token may begin and spend within 24 hours. The runner counts by what it writes itself: its runs, and what is set aside in them.

-- Null: the defaults. Part of the token's digest when it is there, so tokens from before keep theirs.
ALTER TABLE "agent_token" ADD COLUMN "limits" JSONB;

ALTER TABLE "run" ADD COLUMN "token_id" UUID,
ADD COLUMN "reserved_micro_usd" BIGINT NOT NULL DEFAULT 0;

UPDATE "run" SET "token_id" = s."token_id"
FROM "agent_session_run" d JOIN "agent_session" s ON s."id" = d."session_id" AND s."workspace_id" = d."workspace_id"
WHERE d."run_id" = "run"."id" AND d."workspace_id" = "run"."workspace_id";

CREATE INDEX "run_token_id_updated_at_idx" ON "run"("token_id", "updated_at");
CREATE INDEX "agent_session_token_id_created_at_idx" ON "agent_session"("token_id", "created_at");
