-- AlterTable
ALTER TABLE "secret" DROP CONSTRAINT "secret_pkey",
ADD COLUMN     "environment" TEXT NOT NULL DEFAULT '',
ADD CONSTRAINT "secret_pkey" PRIMARY KEY ("workspace_id", "name", "environment");

ALTER TABLE "secret" ADD CONSTRAINT "secret_environment_is_bounded" CHECK (length("environment") <= 64);

GRANT SELECT ("environment"), INSERT ("environment") ON "secret" TO countersign_web;
