-- AlterTable
ALTER TABLE "model_provider" ADD COLUMN     "environment_keys" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- AlterTable
ALTER TABLE "provider_circuit" DROP CONSTRAINT "provider_circuit_pkey",
ADD COLUMN     "environment" TEXT NOT NULL DEFAULT '',
ADD CONSTRAINT "provider_circuit_pkey" PRIMARY KEY ("workspace_id", "provider", "environment");

ALTER TABLE "provider_circuit" ADD CONSTRAINT "circuit_environment_is_bounded" CHECK (length("environment") <= 64);

GRANT INSERT ("environment") ON "secret" TO countersign_runner;

-- Only the runner stores the keys of model providers, with a record.
CREATE POLICY "web_stores_no_model_key" ON "secret" AS RESTRICTIVE FOR INSERT TO countersign_web WITH CHECK ("name" NOT LIKE 'model:%');
CREATE POLICY "web_replaces_no_model_key" ON "secret" AS RESTRICTIVE FOR UPDATE TO countersign_web USING ("name" NOT LIKE 'model:%');
CREATE POLICY "web_removes_no_model_key" ON "secret" AS RESTRICTIVE FOR DELETE TO countersign_web USING ("name" NOT LIKE 'model:%');
