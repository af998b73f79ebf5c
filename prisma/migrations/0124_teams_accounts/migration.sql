ALTER TABLE "notification_setting" DROP CONSTRAINT "notification_setting_is_known",
  ADD CONSTRAINT "notification_setting_is_known" CHECK (
    "channel" IN ('mail', 'slack', 'teams', 'push') AND "about" IN ('assigned', 'all') AND "cadence" IN ('immediate', 'hourly', 'daily')
    AND "daily_at" BETWEEN 0 AND 1439 AND ("quiet_from" IS NULL) = ("quiet_until" IS NULL)
  );
ALTER TABLE "notification_account" DROP CONSTRAINT "notification_account_is_known",
  ADD CONSTRAINT "notification_account_is_known" CHECK (
    "channel" = 'slack' AND length("account") BETWEEN 1 AND 200 OR "channel" = 'teams' AND length("account") BETWEEN 1 AND 2000
  );
