-- Signs of an attack or a mistake in what waits, and the risk that they raise.
ALTER TABLE "approval" ADD COLUMN "risk" TEXT,
ADD COLUMN "signals" TEXT[] DEFAULT ARRAY[]::TEXT[];

UPDATE "approval" SET "risk" = CASE "authority"
  WHEN 'none' THEN 'low' WHEN 'read' THEN 'low' WHEN 'write' THEN 'medium' ELSE 'high' END
WHERE "authority" IS NOT NULL;
