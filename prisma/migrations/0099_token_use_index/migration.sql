-- Each record changes "updated_at": a B-tree on it made Postgres write all indexes of "run" at each step.
DROP INDEX "run_token_id_updated_at_idx";
CREATE INDEX "run_token_id_idx" ON "run"("token_id");
CREATE INDEX "run_updated_at_idx" ON "run" USING BRIN ("updated_at");
