-- The public half of the key that an agent's token is the secret of. Part of the token's digest when it is there.
ALTER TABLE "agent_token" ADD COLUMN "public_key" TEXT;
