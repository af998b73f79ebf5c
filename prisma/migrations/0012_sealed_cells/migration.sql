-- CreateTable
CREATE TABLE "cell_tombstone" (
    "workspace_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "seq" INTEGER NOT NULL,
    "index" INTEGER NOT NULL,
    "record_seq" INTEGER NOT NULL,
    "user_id" UUID NOT NULL,
    "reason" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "cell_tombstone_pkey" PRIMARY KEY ("run_id","seq","index")
);

-- CreateTable
CREATE TABLE "vault_rotation" (
    "version" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),
    "total" INTEGER NOT NULL,
    "rewrapped" INTEGER NOT NULL DEFAULT 0,
    "unreadable" INTEGER NOT NULL DEFAULT 0,
    "cursor_run" UUID,
    "cursor_seq" INTEGER NOT NULL DEFAULT 0,
    "cursor_index" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "vault_rotation_pkey" PRIMARY KEY ("version")
);

-- What may happen to a cell that was written ---------------------------------------------------------------------------

-- 0: shredded, or nothing that the vault wrapped.
CREATE FUNCTION "vault_version"("wrapped" bytea) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE octet_length(wrapped) WHEN 60 THEN 1 WHEN 62 THEN get_byte(wrapped, 0) * 256 + get_byte(wrapped, 1) ELSE 0 END
$$;

CREATE FUNCTION "guard_cell"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND current_user = 'countersign_runner'
    AND (NEW.workspace_id, NEW.run_id, NEW.seq, NEW.index, NEW.path, NEW.label, NEW.commitment)
      = (OLD.workspace_id, OLD.run_id, OLD.seq, OLD.index, OLD.path, OLD.label, OLD.commitment)
  THEN
    -- Its key is wrapped under a newer version; what is sealed under it stays.
    IF NEW.sealed = OLD.sealed AND "vault_version"(OLD.wrapped_key) > 0
      AND "vault_version"(NEW.wrapped_key) > "vault_version"(OLD.wrapped_key) THEN
      RETURN NEW;
    END IF;
    -- Key and content are destroyed together, and somebody stands for it.
    IF octet_length(NEW.sealed) = 0 AND octet_length(NEW.wrapped_key) = 0 AND EXISTS (
      SELECT 1 FROM "cell_tombstone" t
      WHERE t.workspace_id = OLD.workspace_id AND t.run_id = OLD.run_id AND t.seq = OLD.seq AND t.index = OLD.index
    ) THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION 'cell is insert-only: % refused', TG_OP USING ERRCODE = 'insufficient_privilege';
END
$$;

DROP TRIGGER "insert_only" ON "cell";
CREATE TRIGGER "insert_only" BEFORE UPDATE OR DELETE ON "cell" FOR EACH ROW EXECUTE FUNCTION "guard_cell"();
CREATE TRIGGER "no_truncate" BEFORE TRUNCATE ON "cell" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "insert_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "cell_tombstone" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();

-- What was asked is needed until it is answered: then its record has it, and shredding the record's cells is enough.
CREATE FUNCTION "forget_answered"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status <> 'pending' THEN
    NEW.body := ''::bytea;
  END IF;
  RETURN NEW;
END
$$;
UPDATE "command" SET "body" = ''::bytea WHERE "status" <> 'pending';
CREATE TRIGGER "forget_answered" BEFORE UPDATE ON "command" FOR EACH ROW EXECUTE FUNCTION "forget_answered"();

-- A workspace sees only itself; the runner serves all of them.
ALTER TABLE "cell_tombstone" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "web_sees_its_workspace" ON "cell_tombstone" FOR ALL TO countersign_web
  USING (workspace_id = nullif(current_setting('countersign.workspace', true), '')::uuid)
  WITH CHECK (workspace_id = nullif(current_setting('countersign.workspace', true), '')::uuid);
CREATE POLICY "runner_serves_all" ON "cell_tombstone" FOR ALL TO countersign_runner USING (true) WITH CHECK (true);

GRANT SELECT ON "cell_tombstone", "vault_rotation" TO countersign_web, countersign_runner;
GRANT INSERT ON "cell_tombstone" TO countersign_runner;
GRANT INSERT, UPDATE ON "vault_rotation" TO countersign_runner;
-- The trigger says what of it.
GRANT UPDATE ("sealed", "wrapped_key") ON "cell" TO countersign_runner;
