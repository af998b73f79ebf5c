/** Signing in with an address and a password. */
import { z } from "zod";
import { systemClock } from "@/server/clock";
import { createRateLimiter } from "@/server/security/rate-limit";
import { findMember, findUserByEmail } from "@/server/store/users";
import { checkPassword } from "./password";
import type { AccountClaims } from "./session";

const credentialsSchema = z.strictObject({ email: z.string().min(3).max(254), password: z.string().min(1).max(200) });

const MINUTE_MS = 60_000;
const byAccount = createRateLimiter({ limit: 10, windowMs: 5 * MINUTE_MS }, systemClock);
/** By somebody's own session alone, so that whoever only knows their address cannot keep them from what takes a proof. */
const byProof = createRateLimiter({ limit: 10, windowMs: 5 * MINUTE_MS }, systemClock);
const byAddress = createRateLimiter({ limit: 50, windowMs: 5 * MINUTE_MS }, systemClock);

export type SignInOutcome =
  | { readonly status: "ok"; readonly claims: AccountClaims }
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

/**
 * Whether whoever has a session of this account is still its person. Wrong answers are counted, apart from those at the door.
 * @param password null from an account of the demo, which has none
 */
export const proveAccount = async (userId: string, password: string | null): Promise<"ok" | "denied" | "rate_limited"> => {
  const user = (await findMember(userId))?.user;
  if (!user) return "denied";
  if (user.demo && user.passwordHash === null) return password === null ? "ok" : "denied";
  if (password === null) return "denied";
  if (!byProof.take(userId)) return "rate_limited";
  if (!(await checkPassword(user.passwordHash, password))) return "denied";

  byProof.clear(userId);

  return "ok";
};
