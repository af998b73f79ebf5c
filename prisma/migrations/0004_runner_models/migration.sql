-- AlterTable
ALTER TABLE "runner_heartbeat" ADD COLUMN     "models" JSONB NOT NULL DEFAULT '[]';
