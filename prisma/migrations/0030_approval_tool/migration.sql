-- AlterTable
ALTER TABLE "approval" ADD COLUMN     "server" TEXT,
ADD COLUMN     "tool" TEXT;

-- CreateIndex
CREATE INDEX "approval_workspace_id_server_status_idx" ON "approval"("workspace_id", "server", "status");
