/** Signing in with an address and a password. */
import { z } from "zod";
import { systemClock } from "@/server/clock";
import { createRateLimiter } from "@/server/security/rate-limit";
import { findUserByEmail } from "@/server/store/users";
import { checkPassword } from "./password";
import type { SessionClaims } from "./session";

const credentialsSchema = z.strictObject({ email: z.string().min(3).max(254), password: z.string().min(1).max(200) });

const MINUTE_MS = 60_000;
const byAccount = createRateLimiter({ limit: 10, windowMs: 5 * MINUTE_MS }, systemClock);
const byAddress = createRateLimiter({ limit: 50, windowMs: 5 * MINUTE_MS }, systemClock);

export type SignInOutcome =
  | { readonly status: "ok"; readonly claims: SessionClaims }
  /** Deliberately one answer for a wrong password, an unknown account and a disabled one. */
  | { readonly status: "denied" }
  | { readonly status: "rate_limited" };

/** @param address where the attempt comes from, for the rate limit */
export const signInWithPassword = async (credentials: unknown, address: string): Promise<SignInOutcome> => {
  const parsed = credentialsSchema.safeParse(credentials);
  if (!parsed.success) return { status: "denied" };

  const account = parsed.data.email.trim().toLowerCase();
  // The address first: one that is blocked cannot go on counting an account up and so lock somebody out.
  if (!byAddress.take(address) || !byAccount.take(account)) return { status: "rate_limited" };

  const user = await findUserByEmail(account);
  const isMatch = await checkPassword(user?.passwordHash ?? null, parsed.data.password);
  if (user === null || !isMatch || user.disabledAt !== null) return { status: "denied" };

  byAccount.clear(account);

  return { status: "ok", claims: { userId: user.id, sessionVersion: user.sessionVersion } };
};
