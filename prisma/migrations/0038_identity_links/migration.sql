-- AlterTable
ALTER TABLE "identity" ADD COLUMN     "record_seq" INTEGER;

-- AlterTable
ALTER TABLE "passkey" ADD COLUMN     "origin" TEXT;

-- AlterTable
ALTER TABLE "session" ADD COLUMN     "link_until" TIMESTAMPTZ(3);

ALTER TABLE "passkey" ADD CONSTRAINT "passkey_origin_check" CHECK (char_length(origin) BETWEEN 1 AND 300);

-- A link is made and taken back by the runner, with a record. It still never becomes somebody else's.
DROP TRIGGER "no_change" ON "identity";
CREATE TRIGGER "no_change" BEFORE UPDATE OR TRUNCATE ON "identity" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();

-- All others link nobody but an account that has just come in by an invite and has no other way in.
CREATE OR REPLACE FUNCTION "guard_identity"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_user <> 'countersign_runner' AND NOT EXISTS (
    SELECT FROM invite i JOIN app_user u ON u.id = i.used_by
    WHERE i.used_by = NEW.user_id AND i.used_at > now() - interval '1 minute' AND u.password_hash IS NULL AND NEW.record_seq IS NULL)
  THEN
    RAISE EXCEPTION 'nobody is linked to an identity without a record or an invite' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END
$$;

GRANT INSERT, DELETE ON "identity" TO countersign_runner;
GRANT UPDATE ("link_until") ON "session" TO countersign_web;
