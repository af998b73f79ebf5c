-- DropIndex
DROP INDEX "approval_workspace_id_status_idx";

-- AlterTable
ALTER TABLE "approval" ADD COLUMN     "agent" TEXT,
ADD COLUMN     "authority" TEXT,
ADD COLUMN     "barred" UUID[] DEFAULT ARRAY[]::UUID[],
ADD COLUMN     "signature" TEXT,
ADD COLUMN     "steered" BOOLEAN;

-- CreateIndex
CREATE INDEX "approval_workspace_id_status_expires_at_id_idx" ON "approval"("workspace_id", "status", "expires_at", "id");

-- What was asked before: whoever started the run may not decide it. Who else may not, the engine says when they try.
UPDATE "approval" SET "barred" = ARRAY[run."initiator_id"]
FROM "run" WHERE run."id" = "approval"."run_id" AND run."workspace_id" = "approval"."workspace_id";
