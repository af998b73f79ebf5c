import { signIn } from "next-auth/react";
import { ERRORS } from "@/lib/errors";
import { ownPath } from "@/lib/own-path";

/** Second step of the first sign-in. */
export const FIRST_PASSKEY = "/first-passkey";

export type SignInProblem = "denied" | "rate_limited" | "authority_mismatch" | "unreachable";

export const SIGN_IN_PROBLEMS = {
  denied: { title: "Sign-in failed.", advice: "Check the e-mail address and password." },
  rate_limited: { title: "Too many attempts.", advice: "Wait five minutes, then try again." },
  authority_mismatch: { title: "You can't sign in.", advice: ERRORS.authority_mismatch.message },
  unreachable: { title: "The server did not respond.", advice: "Check that it is running, then try again." },
} as const satisfies Record<SignInProblem, { title: string; advice: string }>;

/** Problems that the server reports; everything else is `denied`. */
const TOLD = ["rate_limited", "authority_mismatch"] as const satisfies readonly SignInProblem[];

/** Signs in with one of the providers. @returns null when it worked */
export const signInWith = async (provider: "password" | "demo", credentials: Record<string, string>): Promise<SignInProblem | null> => {
  try {
    const answer = await signIn(provider, { ...credentials, redirect: false });
    // Nothing at all comes back when next-auth found no provider to talk to.
    if (!answer) return "unreachable";
    if (answer.ok && !answer.error) return null;

    return TOLD.find((problem) => problem === answer.error) ?? "denied";
  } catch {
    return "unreachable";
  }
};

/** The page requested before sign-in. */
const wanted = (): string => ownPath(new URLSearchParams(window.location.search).get("to"));

type Elsewhere = { readonly to?: string; readonly again?: boolean };

/**
 * Redirects to the identity provider, which returns to `to`.
 * @param again forces the provider to ask for the password again
 */
export const signInElsewhere = async ({ to = wanted(), again = false }: Elsewhere = {}): Promise<void> => {
  await signIn("oidc", { callbackUrl: to }, again ? { prompt: "login", max_age: "0" } : {});
};

/** Reloads at the requested page, so that no data of another user stays in memory. */
export const enter = (): void => window.location.assign(wanted());
