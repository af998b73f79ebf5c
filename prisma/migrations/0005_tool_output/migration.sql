-- AlterTable
ALTER TABLE "mcp_tool" ADD COLUMN     "output" TEXT NOT NULL DEFAULT 'internal';
