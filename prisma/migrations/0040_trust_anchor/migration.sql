-- Keys are believed from the trust anchor beside the signing key. What stands here are hints for other machines, and, of
-- installations from before there were anchors, earlier keys that their operator may confirm.
ALTER TABLE "signing_key" RENAME TO "key_hint";
ALTER TABLE "key_hint" RENAME CONSTRAINT "signing_key_pkey" TO "key_hint_pkey";
ALTER TABLE "key_hint" DROP COLUMN "retired_at";
REVOKE ALL ON "key_hint" FROM countersign_web;
GRANT DELETE ON "key_hint" TO countersign_runner;

-- What may mean that somebody tampers with this installation, until an admin has acknowledged it.
CREATE TABLE "trust_alarm" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "run_id" UUID,
    "detail" TEXT NOT NULL,
    "raised_at" TIMESTAMPTZ(3) NOT NULL,
    "acknowledged_at" TIMESTAMPTZ(3),
    "acknowledged_by" UUID,

    CONSTRAINT "trust_alarm_pkey" PRIMARY KEY ("workspace_id", "id")
);

-- The same thing is said once, until somebody has acknowledged it.
CREATE UNIQUE INDEX "trust_alarm_open" ON "trust_alarm" ("workspace_id", "kind", coalesce("run_id", "workspace_id")) WHERE "acknowledged_at" IS NULL;

ALTER TABLE "trust_alarm" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "web_sees_its_workspace" ON "trust_alarm" FOR SELECT TO countersign_web
  USING (workspace_id = nullif(current_setting('countersign.workspace', true), '')::uuid);
CREATE POLICY "runner_serves_all" ON "trust_alarm" FOR ALL TO countersign_runner USING (true) WITH CHECK (true);
GRANT SELECT ON "trust_alarm" TO countersign_web, countersign_runner;
GRANT INSERT ON "trust_alarm" TO countersign_runner;
GRANT UPDATE ("acknowledged_at", "acknowledged_by") ON "trust_alarm" TO countersign_runner;
