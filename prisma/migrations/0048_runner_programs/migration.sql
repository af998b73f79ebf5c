-- Which programs the operator offers, as each runner reads them from its state folder. The web process shows the list; it decides nothing.
ALTER TABLE "runner_heartbeat" ADD COLUMN "programs" JSONB NOT NULL DEFAULT '[]';
