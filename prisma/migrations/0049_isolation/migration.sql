-- Which parts of the sandbox of MCP servers hold on the machine of each runner.
ALTER TABLE "runner_heartbeat" ADD COLUMN     "isolation" JSONB;
