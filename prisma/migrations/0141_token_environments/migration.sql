-- AlterTable
ALTER TABLE "agent_token" ADD COLUMN     "environments" TEXT[] DEFAULT ARRAY[]::TEXT[];
