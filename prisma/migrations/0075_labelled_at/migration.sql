-- AlterTable
ALTER TABLE "mcp_tool" ADD COLUMN     "labelled_at" TIMESTAMPTZ(3);
