-- AlterTable
ALTER TABLE "run" ADD COLUMN     "frozen" TEXT;
