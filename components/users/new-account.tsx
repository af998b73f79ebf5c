"use client";

import { FIRST_PASSKEY, signInWith } from "@/components/account/sign-in-with";
import { useAttempt } from "@/components/ui/use-attempt";
import { MIN_PASSWORD_LENGTH } from "@/lib/first-admin";

export const PASSWORD_FIELD = {
  label: "Password",
  hint: `At least ${MIN_PASSWORD_LENGTH} characters. A sentence works well.`,
  type: "password",
  autoComplete: "new-password",
} as const;

/** Creates an account and signs in to it. */
export const useNewAccount = () => {
  const { attempt, error } = useAttempt();

  /** @param make creates the account and resolves to its address */
  const enterAs = async (password: string, make: () => Promise<string>): Promise<void> => {
    const isMade = await attempt(async () => signInWith("password", { email: await make(), password }));
    // If sign-in failed, this redirects to it; the account exists.
    if (isMade) window.location.assign(FIRST_PASSKEY);
  };

  return { enterAs, error };
};
