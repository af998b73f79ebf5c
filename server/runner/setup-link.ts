import { generateSetupToken, hashSetupToken, SETUP_TOKEN_LIFE_MS } from "@/server/auth/setup-token";
import type { Clock } from "@/server/clock";
import { insertSetupToken } from "@/server/store/workspaces/listing";

export const createSetupToken = async (clock: Pick<Clock, "now">): Promise<{ readonly token: string; readonly expiresAt: Date }> => {
  const token = generateSetupToken();
  const expiresAt = new Date(clock.now() + SETUP_TOKEN_LIFE_MS);
  await insertSetupToken(hashSetupToken(token), expiresAt);

  return { token, expiresAt };
};
