/** Signing in with an address and a password. */
import { z } from "zod";
import { systemClock } from "@/server/clock";
import { createRateLimiter } from "@/server/security/rate-limit";
import { hasSignedInFrom } from "@/server/store/sessions";
import { findMember, findUserByEmail } from "@/server/store/users";
import { clientNetwork } from "./client-address";
import { confirmedAccount, confirmMember, passwordClaim } from "./confirmed-member";
import { checkPassword } from "./password";
import type { AccountClaims } from "./session";
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
/** By somebody's own session alone, so that whoever only knows their address cannot keep them from what takes a proof. */
const byProof = createRateLimiter({ limit: 10, windowMs: 5 * MINUTE_MS }, systemClock);

export type SignInOutcome =
  | { readonly status: "ok"; readonly claims: AccountClaims }
  /** Deliberately one answer for a wrong password, an unknown account and a disabled one. */
  | { readonly status: "denied" }
  | { readonly status: "rate_limited" }
  /** The account's rows are not what the signed records say. Only told to who knows the password in the row. */
  | { readonly status: "authority_mismatch" };

/** Whether this person has signed in from the network that holds `address`, within the time that sessions are kept. */
const isKnownAt = async (account: string, address: string): Promise<boolean> => {
  const masked = maskedAddress(address);

  return masked !== UNKNOWN_ADDRESS && (await hasSignedInFrom(account, masked));
};

/** @param address of the client, for the rate limits */
export const signInWithPassword = async (credentials: unknown, address: string): Promise<SignInOutcome> => {
  const parsed = credentialsSchema.safeParse(credentials);
  if (!parsed.success) return { status: "denied" };

  const account = parsed.data.email.trim().toLowerCase();
  const network = clientNetwork(address);
  const pair = `${account} ${network}`;
  // The network first: one that is blocked cannot go on counting an account up.
  if (!byNetwork.take(network) || !byAccountAndNetwork.take(pair)) return { status: "rate_limited" };
  if (!(await isKnownAt(account, address)) && !byAccountFromStrangers.take(account)) return { status: "rate_limited" };

  const user = await findUserByEmail(account);
  const isMatch = await checkPassword(user?.passwordHash ?? null, parsed.data.password);
  if (user === null || !isMatch) return { status: "denied" };
  // The very hash that matched has to be in force.
  const member = await confirmedAccount(user.id, user.passwordHash);
  if (member === "authority_mismatch") return { status: member };
  if (member === null || member.user.disabledAt !== null) return { status: "denied" };

  byAccountAndNetwork.clear(pair);

  return { status: "ok", claims: { userId: user.id, sessionVersion: member.user.sessionVersion } };
};

/**
 * Whether whoever has a session of this account is still its person. Wrong answers are counted, apart from those at the door.
 * @param password null from an account of the demo, which has none
 * @throws AppError authority_mismatch when the account's rows are not what the signed records say
 */
export const proveAccount = async (userId: string, password: string | null): Promise<"ok" | "denied" | "rate_limited"> => {
  const readMember = () => findMember(userId);
  const found = await readMember();
  const member = found && (await confirmMember(found, readMember, ({ user }) => [passwordClaim(userId, user.passwordHash)]));
  if (!member) return "denied";
  const { user, workspace } = member;
  // The flag of the account alone is on no record.
  if (workspace.demo && user.demo && user.passwordHash === null) return password === null ? "ok" : "denied";
  if (password === null) return "denied";
  if (!byProof.take(userId)) return "rate_limited";
  if (!(await checkPassword(user.passwordHash, password))) return "denied";

  byProof.clear(userId);

  return "ok";
};
