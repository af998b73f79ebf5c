import { computeProofDigest, type ProofRequest, type SignInAnswer, type SignInRequest } from "@/lib/people/sign-in";
import { checkPassword } from "@/server/auth/password";
import { systemClock } from "@/server/clock";
import { openSession, toRefused, type SignInDeps } from "@/server/runner/sign-in/outcome";
import { findSigningSession } from "@/server/runner/sign-in/signing-session";
import { getStanding, getStandingIn, type Place } from "@/server/runner/sign-in/standing";
import { createSemaphore } from "@/server/runner/semaphore";
import { createRateLimiter } from "@/server/security/rate-limit";
import { findAccountByEmail, findAccountById, proveSession, type Account } from "@/server/store/people/accounts";

type RequestOf<T extends SignInRequest["type"]> = Extract<SignInRequest, { type: T }>;

const MINUTE_MS = 60_000;
/** Above the web process's own limit: bounds a compromised web process. */
const byAccount = createRateLimiter({ limit: 200, windowMs: 60 * MINUTE_MS }, systemClock);
/** Per session, so that knowing an address cannot block its owner's step-up. */
const byProof = createRateLimiter({ limit: 10, windowMs: 5 * MINUTE_MS }, systemClock);
/** argon2id takes a full core: floods of attempts queue here and leave the other cores to runs. */
const hashing = createSemaphore(1);

const isPasswordOf = (account: Account | null, password: string): Promise<boolean> =>
  hashing(() => checkPassword(account?.passwordHash ?? null, password));

export const signInWithPassword = async (deps: SignInDeps, request: RequestOf<"password">): Promise<SignInAnswer> => {
  const email = request.email.trim().toLowerCase();
  if (!byAccount.take(email)) return toRefused("rate_limited");
  const account = await findAccountByEmail(email);
  if (!(await isPasswordOf(account, request.password)) || account === null) return toRefused("denied");
  const standing = await getStanding(deps, account);
  if (typeof standing === "string") return toRefused(standing === "none" ? "denied" : standing);
  byAccount.clear(email);

  return openSession(deps, account.id, standing, request, deps.clock.now());
};

/** The demo flag is not on record, but the missing password is. */
const isDemoAccount = ({ demo, passwordHash: hash }: Account, standing: Place): boolean => standing.demo && demo && hash === null;

export const signInAsDemo = async (deps: SignInDeps, request: RequestOf<"demo">): Promise<SignInAnswer> => {
  const account = await findAccountById(request.user);
  if (account === null) return toRefused("denied");
  const standing = await getStanding(deps, account);
  if (standing === "authority_mismatch") return toRefused(standing);
  if (standing === "none" || !isDemoAccount(account, standing)) return toRefused("denied");

  return openSession(deps, account.id, standing, request, deps.clock.now());
};

export const proveSessionOf = async (deps: SignInDeps, id: string, request: ProofRequest): Promise<SignInAnswer> => {
  const session = await findSigningSession(deps, request, computeProofDigest(id, request));
  if (session === null) return toRefused("denied");
  const account = await findAccountById(request.user);
  const standing = account && (await getStandingIn(deps, account, session.workspaceId));
  if (standing === "authority_mismatch") return toRefused(standing);
  if (account === null || standing === null || standing === "none") return toRefused("denied");
  if (!isDemoAccount(account, standing)) {
    if (request.password === null) return toRefused("denied");
    if (!byProof.take(account.id)) return toRefused("rate_limited");
    if (!(await isPasswordOf(account, request.password))) return toRefused("denied");
    byProof.clear(account.id);
  } else if (request.password !== null) return toRefused("denied");
  const at = deps.clock.now();
  await proveSession(request.session, at);

  return { status: "proved", at };
};
