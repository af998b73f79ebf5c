import {
  computeEntryDigest,
  computeProofDigest,
  SIGN_IN_WORKSPACE,
  signInPlace,
  type Entry,
  type NewSession,
  type SignInAnswer,
  type SignInRefusal,
  type SignInRequest,
} from "@/lib/people/sign-in";
import { AppError } from "@/lib/errors";
import { systemClock } from "@/server/clock";
import { signWithSeed, type SessionKey } from "@/server/security/session-key";
import { insertSignIn, signInAnswer } from "@/server/store/people/sign-ins";
import { awaitAnswer } from "./await-answer";
import { getWebVault } from "./web-vault";

const ask = async (id: string, request: SignInRequest): Promise<SignInAnswer> => {
  if (!(await insertSignIn(id, getWebVault().sealCommand(SIGN_IN_WORKSPACE, signInPlace(id), request)))) {
    return { status: "refused", code: "rate_limited" };
  }
  const answer = await awaitAnswer(id, () => signInAnswer(id));
  if (answer === null) throw new AppError("runner_silent");

  return answer;
};

export type Opened = { readonly userId: string; readonly sessionVersion: number; readonly sessionId: string };

const toOpened = (answer: SignInAnswer): Opened | SignInRefusal => {
  if (answer.status === "refused") return answer.code;
  if (answer.status !== "ok") throw new AppError("internal");

  return { userId: answer.user, sessionVersion: answer.session_version, sessionId: answer.session };
};

export const askToSignIn = async (
  request: Exclude<SignInRequest, { type: "proof" | "logout" | "enter" }>,
): Promise<Opened | SignInRefusal> => toOpened(await ask(systemClock.id(), request));

export const askToEnter = async (
  user: string,
  { id: session, key }: SessionKey,
  into: Entry,
  opening: NewSession,
): Promise<Opened | SignInRefusal> => {
  const id = systemClock.id();
  const asked = { user, session, into, sent_at: systemClock.now(), ...opening };

  return toOpened(await ask(id, { type: "enter", ...asked, signature: signWithSeed(key, computeEntryDigest(id, asked)) }));
};

export const askToSignOut = async (token: string): Promise<boolean> => {
  const answer = await ask(systemClock.id(), { type: "logout", token });
  if (answer.status === "refused" && answer.code === "rate_limited") throw new AppError("rate_limited");

  return answer.status === "signed_out";
};

/** Steps up a session; password null for a demo account. @returns ms since 1970 @throws AppError */
export const proveSession = async (userId: string, { id: session, key }: SessionKey, password: string | null): Promise<number> => {
  const id = systemClock.id();
  const proof = { type: "proof", user: userId, session, password, sent_at: systemClock.now() } as const;
  const answer = await ask(id, { ...proof, signature: signWithSeed(key, computeProofDigest(id, proof)) });
  if (answer.status === "proved") return answer.at;
  const code = answer.status === "refused" ? answer.code : "malformed";
  if (code === "rate_limited" || code === "authority_mismatch") throw new AppError(code);
  throw new AppError("forbidden", { message: "The password is incorrect." });
};
