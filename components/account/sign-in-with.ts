import { signIn } from "next-auth/react";
import { ERRORS } from "@/lib/errors";
import { ownPath } from "@/lib/own-path";

export const FIRST_PASSKEY = "/first-passkey";

const TOLD = ["rate_limited", "authority_mismatch", "not_member", "link_invalid", "step_up_required"] as const;

export type SignInProblem = "denied" | "unreachable" | (typeof TOLD)[number];

export const SIGN_IN_PROBLEMS = {
  denied: { title: "Sign-in failed.", advice: "Check the e-mail address and password." },
  rate_limited: { title: "Too many attempts.", advice: "Wait five minutes, then try again." },
  authority_mismatch: { title: "You can't sign in.", advice: ERRORS.authority_mismatch.message },
  not_member: { title: "You are not a member of that workspace.", advice: "Ask one of its admins for an invite." },
  link_invalid: { title: "This link doesn't work for your account.", advice: "It was used, has expired, or is for another address." },
  step_up_required: { title: "Confirm your identity to continue.", advice: ERRORS.step_up_required.message },
  unreachable: { title: "The server did not respond.", advice: "Check that it is running, then try again." },
} as const satisfies Record<SignInProblem, { title: string; advice: string }>;

/** Signs in. @returns null on success */
export const signInWith = async (
  provider: "password" | "demo" | "workspace",
  credentials: Record<string, string>,
): Promise<SignInProblem | null> => {
  try {
    const answer = await signIn(provider, { ...credentials, redirect: false });
    // next-auth found no provider.
    if (!answer) return "unreachable";
    if (answer.ok && !answer.error) return null;

    return TOLD.find((problem) => problem === answer.error) ?? "denied";
  } catch {
    return "unreachable";
  }
};

const wanted = (): string => ownPath(new URLSearchParams(window.location.search).get("to"));

type Elsewhere = { readonly to?: string; readonly again?: boolean };

export const signInElsewhere = async ({ to = wanted(), again = false }: Elsewhere = {}): Promise<void> => {
  await signIn("oidc", { callbackUrl: to }, again ? { prompt: "login", max_age: "0" } : {});
};

/** Reloads, so that no other user's data stays in memory. */
export const enter = (): void => window.location.assign(wanted());
