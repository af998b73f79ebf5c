-- Earlier sessions do not say; they end within twelve hours.
ALTER TABLE "session" ADD COLUMN "provider_sid" TEXT;
CREATE INDEX "session_provider_sid_idx" ON "session"("provider_sid");
