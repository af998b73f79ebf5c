-- CreateTable
CREATE TABLE "review_case" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "node" TEXT NOT NULL,
    "subject_digest" TEXT NOT NULL,
    "quorum" INTEGER NOT NULL,
    "producers" TEXT[],
    "status" TEXT NOT NULL DEFAULT 'open',
    "opened_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "closed_at" TIMESTAMPTZ(3),

    CONSTRAINT "review_case_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "review_designation" (
    "workspace_id" UUID NOT NULL,
    "case_id" UUID NOT NULL,
    "reviewer" INTEGER NOT NULL,
    "principal" TEXT NOT NULL,
    "seats" INTEGER NOT NULL,

    CONSTRAINT "review_designation_pkey" PRIMARY KEY ("case_id","reviewer")
);

-- CreateTable
CREATE TABLE "review_verdict" (
    "workspace_id" UUID NOT NULL,
    "case_id" UUID NOT NULL,
    "reviewer" INTEGER NOT NULL,
    "designated" TEXT NOT NULL,
    "principal" TEXT NOT NULL,
    "model" TEXT,
    "subject_digest" TEXT NOT NULL,
    "verdict" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "review_verdict_pkey" PRIMARY KEY ("case_id","principal")
);

-- CreateIndex
CREATE INDEX "review_case_workspace_id_status_idx" ON "review_case"("workspace_id", "status");

-- CreateIndex
CREATE INDEX "review_case_run_id_idx" ON "review_case"("run_id");

-- CreateIndex
CREATE UNIQUE INDEX "review_case_id_subject_digest_key" ON "review_case"("id", "subject_digest");

-- CreateIndex
CREATE UNIQUE INDEX "review_designation_case_id_reviewer_principal_key" ON "review_designation"("case_id", "reviewer", "principal");

-- AddForeignKey
ALTER TABLE "review_designation" ADD CONSTRAINT "review_designation_case_id_fkey" FOREIGN KEY ("case_id") REFERENCES "review_case"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "review_verdict" ADD CONSTRAINT "review_verdict_case_id_subject_digest_fkey" FOREIGN KEY ("case_id", "subject_digest") REFERENCES "review_case"("id", "subject_digest") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "review_verdict" ADD CONSTRAINT "review_verdict_case_id_reviewer_designated_fkey" FOREIGN KEY ("case_id", "reviewer", "designated") REFERENCES "review_designation"("case_id", "reviewer", "principal") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What was said stays said.
CREATE TRIGGER "insert_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "review_designation" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "insert_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "review_verdict" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();

-- Separation of powers, whatever a program says: only who was asked speaks (the keys above: this case, its subject, its
-- designation), as themselves, once, with one of three words.
ALTER TABLE "review_verdict"
  ADD CONSTRAINT "review_verdict_is_one_of_three" CHECK ("verdict" IN ('approve', 'reject', 'abstain')),
  ADD CONSTRAINT "review_verdict_by_the_designated"
    CHECK ("designated" = "principal" OR ("designated" LIKE 'role:%' AND "principal" LIKE 'user:%'));
ALTER TABLE "review_designation" ADD CONSTRAINT "review_designation_has_seats" CHECK ("seats" >= 1);

-- What no key can say: nobody reviews their own work, themselves or by the same model, nobody sits where no seat is left,
-- and a person has the role that was asked for.
CREATE FUNCTION "separate_powers"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  makers text[];
  free integer;
BEGIN
  SELECT c.producers INTO makers FROM review_case c WHERE c.id = NEW.case_id AND c.workspace_id = NEW.workspace_id;
  IF makers IS NULL THEN
    RAISE EXCEPTION 'there is no such case' USING ERRCODE = 'foreign_key_violation';
  END IF;
  IF NEW.principal = ANY (makers) OR 'model:' || NEW.model = ANY (makers) THEN
    RAISE EXCEPTION 'a producer may not review' USING ERRCODE = 'check_violation', CONSTRAINT = 'review_verdict_not_by_a_producer';
  END IF;
  SELECT d.seats - (SELECT count(*) FROM review_verdict v WHERE v.case_id = NEW.case_id AND v.reviewer = NEW.reviewer) INTO free
    FROM review_designation d WHERE d.case_id = NEW.case_id AND d.reviewer = NEW.reviewer;
  IF free < 1 THEN
    RAISE EXCEPTION 'every seat is taken' USING ERRCODE = 'check_violation', CONSTRAINT = 'review_verdict_has_a_seat';
  END IF;
  IF NEW.designated LIKE 'role:%' AND NOT EXISTS (
    SELECT FROM membership m
    WHERE m.workspace_id = NEW.workspace_id AND 'user:' || m.user_id = NEW.principal AND 'role:' || m.role = NEW.designated
  ) THEN
    RAISE EXCEPTION 'the role is another' USING ERRCODE = 'check_violation', CONSTRAINT = 'review_verdict_has_the_role';
  END IF;

  RETURN NEW;
END
$$;
CREATE TRIGGER "separate_powers" BEFORE INSERT ON "review_verdict" FOR EACH ROW EXECUTE FUNCTION "separate_powers"();

-- A workspace sees only itself; the runner serves all of them.
DO $$
DECLARE
  owned text;
BEGIN
  FOREACH owned IN ARRAY ARRAY['review_case', 'review_designation', 'review_verdict'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', owned);
    EXECUTE format(
      'CREATE POLICY "web_sees_its_workspace" ON %I FOR ALL TO countersign_web
         USING (workspace_id = nullif(current_setting(''countersign.workspace'', true), '''')::uuid)
         WITH CHECK (workspace_id = nullif(current_setting(''countersign.workspace'', true), '''')::uuid)', owned);
    EXECUTE format('CREATE POLICY "runner_serves_all" ON %I FOR ALL TO countersign_runner USING (true) WITH CHECK (true)', owned);
  END LOOP;
END
$$;

GRANT SELECT ON "review_case", "review_designation", "review_verdict" TO countersign_web, countersign_runner;
-- Only the runner adds to them, with the record that they are about.
GRANT INSERT ON "review_case", "review_designation", "review_verdict" TO countersign_runner;
GRANT UPDATE ("status", "closed_at") ON "review_case" TO countersign_runner;
