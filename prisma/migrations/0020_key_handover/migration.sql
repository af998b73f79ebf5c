-- What a signing key said when it handed over to the next one: signed by itself, so whoever changes it here changes nothing.
ALTER TABLE "signing_key" ADD COLUMN     "handover" JSONB;
