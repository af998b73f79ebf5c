-- AlterTable
ALTER TABLE "run" ADD COLUMN     "fork_seq" INTEGER,
ADD COLUMN     "parent_run" UUID,
ADD COLUMN     "simulated" BOOLEAN NOT NULL DEFAULT false;
