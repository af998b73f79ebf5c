import { z } from "zod";
import { systemClock } from "@/server/clock";
import { createRateLimiter } from "@/server/security/rate-limit";
import { hasSignedInFrom } from "@/server/store/people/setup";
import { getClientNetwork } from "./client-address";
import { beginSession, type SignInOutcome } from "./begin-session";
import { maskAddress, UNKNOWN_ADDRESS } from "./visit";

const credentialsSchema = z.strictObject({ email: z.string().min(3).max(254), password: z.string().min(1).max(200) });

const MINUTE_MS = 60_000;
/** Against guesses at all accounts. */
const byNetwork = createRateLimiter({ limit: 50, windowMs: 5 * MINUTE_MS }, systemClock);
/** Per client, so that others can't lock the owner out. */
const byAccountAndNetwork = createRateLimiter({ limit: 10, windowMs: 5 * MINUTE_MS }, systemClock);
/** Bounds distributed guesses; owners pass from known networks. */
const byAccountFromStrangers = createRateLimiter({ limit: 100, windowMs: 60 * MINUTE_MS }, systemClock);

const isKnownAt = async (account: string, address: string): Promise<boolean> => {
  const masked = maskAddress(address);

  return masked !== UNKNOWN_ADDRESS && (await hasSignedInFrom(account, masked));
};

/** Verifies a password through the control plane. */
export const signInWithPassword = async (credentials: unknown, address: string, userAgent = ""): Promise<SignInOutcome> => {
  const parsed = credentialsSchema.safeParse(credentials);
  if (!parsed.success) return { status: "denied" };

  const account = parsed.data.email.trim().toLowerCase();
  const network = getClientNetwork(address);
  const pair = `${account} ${network}`;
  // Network first: a blocked one must not count against an account.
  if (!byNetwork.take(network) || !byAccountAndNetwork.take(pair)) return { status: "rate_limited" };
  if (!(await isKnownAt(account, address)) && !byAccountFromStrangers.take(account)) return { status: "rate_limited" };

  const visit = { address: maskAddress(address), userAgent };
  const outcome = await beginSession({ type: "password", email: account, password: parsed.data.password }, visit);
  if (outcome.status === "ok") byAccountAndNetwork.clear(pair);

  return outcome;
};
