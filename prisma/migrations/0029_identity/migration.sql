-- CreateTable
CREATE TABLE "identity" (
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "identity_pkey" PRIMARY KEY ("issuer","subject")
);

-- CreateIndex
CREATE UNIQUE INDEX "identity_user_id_key" ON "identity"("user_id");

-- AddForeignKey
ALTER TABLE "identity" ADD CONSTRAINT "identity_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "app_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "identity"
  ADD CONSTRAINT "identity_issuer_check" CHECK (char_length(issuer) BETWEEN 1 AND 500),
  ADD CONSTRAINT "identity_subject_check" CHECK (char_length(subject) BETWEEN 1 AND 255);

-- Whom somebody is there stays as it was when they came in, and only for somebody whom an invite let in.
CREATE TRIGGER "no_change" BEFORE UPDATE OR DELETE OR TRUNCATE ON "identity" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();

CREATE FUNCTION "guard_identity"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM invite i WHERE i.used_by = NEW.user_id) THEN
    RAISE EXCEPTION 'nobody is linked to an identity without an invite' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER "guard_identity" BEFORE INSERT ON "identity" FOR EACH ROW EXECUTE FUNCTION "guard_identity"();

GRANT SELECT, INSERT ON "identity" TO countersign_web;
GRANT SELECT ON "identity" TO countersign_runner;
