-- AlterTable
ALTER TABLE "command" ADD COLUMN     "traceparent" VARCHAR(55);

-- AlterTable
ALTER TABLE "runner_heartbeat" ADD COLUMN     "checks" JSONB NOT NULL DEFAULT '[]';

ALTER TABLE "command" ADD CONSTRAINT "command_traceparent_check" CHECK ("traceparent" ~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$');
