-- AlterTable
ALTER TABLE "mcp_server" ADD COLUMN     "unusable" JSONB NOT NULL DEFAULT '[]';
