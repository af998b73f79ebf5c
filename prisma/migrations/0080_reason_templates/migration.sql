-- CreateTable
CREATE TABLE "reason_template" (
    "workspace_id" UUID NOT NULL,
    "reasons" TEXT[],
    "changed_by" UUID NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "reason_template_pkey" PRIMARY KEY ("workspace_id")
);

ALTER TABLE "reason_template" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "web_sees_its_workspace" ON "reason_template" FOR ALL TO countersign_web
  USING (workspace_id = nullif(current_setting('countersign.workspace', true), '')::uuid)
  WITH CHECK (workspace_id = nullif(current_setting('countersign.workspace', true), '')::uuid);
CREATE POLICY "runner_serves_all" ON "reason_template" FOR ALL TO countersign_runner USING (true) WITH CHECK (true);

-- Words, not authority: a decision records the text that its reviewer sent.
GRANT SELECT ON "reason_template" TO countersign_web, countersign_runner;
GRANT INSERT ON "reason_template" TO countersign_web;
GRANT UPDATE ("reasons", "changed_by", "changed_at") ON "reason_template" TO countersign_web;
