-- CreateTable
CREATE TABLE "mention" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "seq" INTEGER NOT NULL,
    "approval_id" UUID,
    "user_id" UUID NOT NULL,
    "by_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "read_at" TIMESTAMPTZ(3),

    CONSTRAINT "mention_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "mention_workspace_id_user_id_created_at_idx" ON "mention"("workspace_id", "user_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "mention_run_id_seq_user_id_key" ON "mention"("run_id", "seq", "user_id");

-- In the transaction of the comment's record. Members who chose no channel find it in the app.
CREATE FUNCTION "notify_mentioned"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO notification (workspace_id, id, user_id, channel, type, subject)
  SELECT NEW.workspace_id, gen_random_uuid(), s.user_id, s.channel, 'mention', NEW.id
  FROM notification_setting s JOIN membership m ON m.workspace_id = s.workspace_id AND m.user_id = s.user_id
  WHERE s.workspace_id = NEW.workspace_id AND s.user_id = NEW.user_id
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;
CREATE TRIGGER "notify_mentioned" AFTER INSERT ON "mention" FOR EACH ROW EXECUTE FUNCTION "notify_mentioned"();

ALTER TABLE "mention" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "web_sees_its_workspace" ON "mention" FOR ALL TO countersign_web
  USING (workspace_id = nullif(current_setting('countersign.workspace', true), '')::uuid)
  WITH CHECK (workspace_id = nullif(current_setting('countersign.workspace', true), '')::uuid);
CREATE POLICY "runner_serves_all" ON "mention" FOR ALL TO countersign_runner USING (true) WITH CHECK (true);

-- Only the runner mentions a person; members note that they read it.
GRANT SELECT, UPDATE ("read_at") ON "mention" TO countersign_web;
GRANT SELECT, INSERT ON "mention" TO countersign_runner;
