-- AlterTable
ALTER TABLE "approval_policy" DROP CONSTRAINT "approval_policy_pkey",
ADD COLUMN     "environment" TEXT NOT NULL DEFAULT '',
ADD CONSTRAINT "approval_policy_pkey" PRIMARY KEY ("workspace_id", "environment");

ALTER TABLE "approval_policy" ADD CONSTRAINT "approval_policy_environment_is_bounded" CHECK (length("environment") <= 64);
