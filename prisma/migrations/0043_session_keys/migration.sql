-- A session is a key pair: the database has its public key, and the cookie has the rest. Sessions without one are over.
ALTER TABLE "session" ADD COLUMN     "public_key" TEXT;
UPDATE "session" SET "revoked_at" = now() WHERE "revoked_at" IS NULL;

-- CreateTable
CREATE TABLE "sign_in_request" (
    "id" UUID NOT NULL,
    "body" BYTEA NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "answer" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sign_in_request_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "sign_in_request_status_created_at_idx" ON "sign_in_request"("status", "created_at");

ALTER TABLE "sign_in_request" ADD CONSTRAINT "sign_in_request_body_check" CHECK (octet_length(body) <= 65536);

-- The runner checks passwords, opens sessions and says when they were proved. The web process may end them: that denies, and grants nothing.
REVOKE INSERT, UPDATE, DELETE ON "session" FROM countersign_web;
GRANT UPDATE ("seen_at", "revoked_at", "link_until") ON "session" TO countersign_web;
GRANT INSERT, DELETE, UPDATE ("proved_at") ON "session" TO countersign_runner;

GRANT SELECT ("id", "status", "answer", "created_at"), INSERT ("id", "body") ON "sign_in_request" TO countersign_web;
GRANT SELECT, DELETE, UPDATE ("body", "status", "answer") ON "sign_in_request" TO countersign_runner;

-- The web process knows who has a password, and not its hash.
ALTER TABLE "app_user" ADD COLUMN     "has_password" BOOLEAN GENERATED ALWAYS AS (password_hash IS NOT NULL) STORED;
REVOKE SELECT ON "app_user" FROM countersign_web;
GRANT SELECT ("id", "email", "name", "demo", "session_version", "disabled_at", "created_at", "has_password") ON "app_user" TO countersign_web;
