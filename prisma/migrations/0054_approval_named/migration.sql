-- AlterTable
ALTER TABLE "approval" ADD COLUMN     "named" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "named_groups" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "named_people" UUID[] DEFAULT ARRAY[]::UUID[];
