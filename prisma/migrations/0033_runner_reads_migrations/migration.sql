-- A runner that joins looks whether the schema is the one it was written for. Where the schema is made without the migration
-- engine there is no such table.
DO $$ BEGIN
  IF to_regclass('public._prisma_migrations') IS NOT NULL THEN
    GRANT SELECT ON "_prisma_migrations" TO countersign_runner;
  END IF;
END $$;
