/** Its key stays here; the control plane stores the public half. */
import type { SignInRefusal, SignInRequest } from "@/lib/people/sign-in";
import { generateSessionSeed, getPublicKey } from "@/server/security/session-key";
import { askToSignIn } from "@/server/web/ask-sign-in";
import type { SessionClaims } from "./session";
import type { Visit } from "./visit";

export type SignInOutcome = { readonly status: "ok"; readonly claims: SessionClaims } | { readonly status: SignInRefusal };

type Credentials<R = Exclude<SignInRequest, { type: "proof" | "logout" | "enter" }>> = R extends SignInRequest
  ? Omit<R, "public_key" | "address" | "user_agent">
  : never;

export const beginSession = async (credentials: Credentials, { address, userAgent }: Visit): Promise<SignInOutcome> => {
  const sessionKey = generateSessionSeed();
  const opened = await askToSignIn({ ...credentials, public_key: getPublicKey(sessionKey), address, user_agent: userAgent });

  return typeof opened === "string" ? { status: opened } : { status: "ok", claims: { ...opened, sessionKey } };
};
