-- AlterTable
ALTER TABLE "mcp_server" ADD COLUMN     "auth" JSONB,
ADD COLUMN     "calls" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "failed_at" TIMESTAMPTZ(3),
ADD COLUMN     "faults" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "headers" JSONB NOT NULL DEFAULT '{}',
ADD COLUMN     "identity" JSONB,
ADD COLUMN     "last_fault" TEXT,
ADD COLUMN     "last_ms" INTEGER,
ADD COLUMN     "limits" JSONB,
ADD COLUMN     "ok_at" TIMESTAMPTZ(3),
ADD COLUMN     "pinned_identity" JSONB;

-- AlterTable
ALTER TABLE "mcp_tool" ADD COLUMN     "blocked_at" TIMESTAMPTZ(3),
ADD COLUMN     "limits" JSONB;

-- A server that suspends by itself is told of like one that a person suspends.
DROP TRIGGER "tell_suspended" ON "mcp_server";
CREATE TRIGGER "tell_suspended" AFTER UPDATE ON "mcp_server" FOR EACH ROW
  WHEN (NEW.status <> OLD.status AND NEW.status IN ('suspended', 'drifted')) EXECUTE FUNCTION "tell_webhooks"('server.suspended');
