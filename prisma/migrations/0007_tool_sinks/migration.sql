-- AlterTable
ALTER TABLE "mcp_tool" ADD COLUMN     "clearance" TEXT NOT NULL DEFAULT 'internal',
ADD COLUMN     "outward" BOOLEAN NOT NULL DEFAULT true;
