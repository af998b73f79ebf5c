/** Signing in with an address and a password: limited here by where it comes from, and checked by the control plane. */
import { z } from "zod";
import { systemClock } from "@/server/clock";
import { createRateLimiter } from "@/server/security/rate-limit";
import { hasSignedInFrom } from "@/server/store/people/sessions";
import { clientNetwork } from "./client-address";
import { beginSession, type SignInOutcome } from "./begin-session";
import { maskedAddress, UNKNOWN_ADDRESS } from "./visit";

const credentialsSchema = z.strictObject({ email: z.string().min(3).max(254), password: z.string().min(1).max(200) });

const MINUTE_MS = 60_000;
/** Guesses of one client, whatever the account. */
const byNetwork = createRateLimiter({ limit: 50, windowMs: 5 * MINUTE_MS }, systemClock);
/** Guesses of one client at one account: nobody elsewhere can use up the owner's attempts. */
const byAccountAndNetwork = createRateLimiter({ limit: 10, windowMs: 5 * MINUTE_MS }, systemClock);
/**
 * Guesses at one account from networks that its person has not signed in from lately: bounds a search that is spread over
 * many clients. The owner passes from a network that they are known in, so this locks them out of new ones only.
 */
const byAccountFromStrangers = createRateLimiter({ limit: 100, windowMs: 60 * MINUTE_MS }, systemClock);

/** Whether this person has signed in from the network that holds `address`, within the time that sessions are kept. */
const isKnownAt = async (account: string, address: string): Promise<boolean> => {
  const masked = maskedAddress(address);

  return masked !== UNKNOWN_ADDRESS && (await hasSignedInFrom(account, masked));
};

/** @param address of the client, for the rate limits */
export const signInWithPassword = async (credentials: unknown, address: string, userAgent = ""): Promise<SignInOutcome> => {
  const parsed = credentialsSchema.safeParse(credentials);
  if (!parsed.success) return { status: "denied" };

  const account = parsed.data.email.trim().toLowerCase();
  const network = clientNetwork(address);
  const pair = `${account} ${network}`;
  // The network first: one that is blocked cannot go on counting an account up.
  if (!byNetwork.take(network) || !byAccountAndNetwork.take(pair)) return { status: "rate_limited" };
  if (!(await isKnownAt(account, address)) && !byAccountFromStrangers.take(account)) return { status: "rate_limited" };

  const visit = { address: maskedAddress(address), userAgent };
  const outcome = await beginSession({ type: "password", email: account, password: parsed.data.password }, visit);
  if (outcome.status === "ok") byAccountAndNetwork.clear(pair);

  return outcome;
};
