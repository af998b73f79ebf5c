-- AlterTable
ALTER TABLE "run" ADD COLUMN     "drive_after" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "approval_run_id_idx" ON "approval"("run_id");

-- What runners look for every second has indexes of its own, which hold only what is under way: however many runs wait or
-- have ended, looking costs the same.
CREATE INDEX "run_at_work" ON "run"("lease_until") WHERE "status" IN ('scheduled', 'running') AND "frozen" IS NULL;
CREATE INDEX "command_pending" ON "command"("run_id") WHERE "status" = 'pending';
