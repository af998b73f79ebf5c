import { computeProofDigest, type ProofRequest, type SignInAnswer, type SignInRequest } from "@/lib/people/sign-in";
import { checkPassword } from "@/server/auth/password";
import { systemClock } from "@/server/clock";
import { raiseAlarm } from "@/server/runner/alarms";
import { openSession, toRefused, type SignInDeps } from "@/server/runner/sign-in/outcome";
import { getStanding } from "@/server/runner/sign-in/standing";
import { createSemaphore } from "@/server/runner/semaphore";
import { createRateLimiter } from "@/server/security/rate-limit";
import { isSignedByKey } from "@/server/security/session-key";
import { findAccountByEmail, findAccountById, openSessionKey, proveSession, type Account } from "@/server/store/people/accounts";

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

  return openSession(deps, account, request, deps.clock.now());
};

/** The demo flag is not on record, but the missing password is. */
const isDemoAccount = ({ demo, passwordHash: hash }: Account, standing: { readonly demo: boolean }): boolean =>
  standing.demo && demo && hash === null;

export const signInAsDemo = async (deps: SignInDeps, request: RequestOf<"demo">): Promise<SignInAnswer> => {
  const account = await findAccountById(request.user);
  if (account === null) return toRefused("denied");
  const standing = await getStanding(deps, account);
  if (standing === "authority_mismatch") return toRefused(standing);
  if (standing === "none" || !isDemoAccount(account, standing)) return toRefused("denied");

  return openSession(deps, account, request, deps.clock.now());
};

/** People wait seconds; later proofs were held back. */
const MOST_AGE_MS = MINUTE_MS;

const isSigned = async ({ clock }: SignInDeps, id: string, { signature, ...proof }: ProofRequest): Promise<boolean> => {
  const publicKey = await openSessionKey(proof.session, proof.user, clock.now());
  if (publicKey === null || clock.now() - proof.sent_at > MOST_AGE_MS) return false;
  if (isSignedByKey(publicKey, computeProofDigest(id, proof), signature)) return true;
  const { workspaceId = null } = (await findAccountById(proof.user)) ?? {};
  await raiseAlarm({ clock }, { kind: "forged_command", workspaceId, runId: null, detail: `proof for session ${proof.session}` });

  return false;
};

/** Steps up an open session. @param id of the request, signed by the session */
export const proveSessionOf = async (deps: SignInDeps, id: string, request: ProofRequest): Promise<SignInAnswer> => {
  if (!(await isSigned(deps, id, request))) return toRefused("denied");
  const account = await findAccountById(request.user);
  const standing = account && (await getStanding(deps, account));
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
