import { signOut } from "next-auth/react";
import { z } from "zod";

const answerSchema = z.object({ url: z.url().nullable() });

const findNext = async (): Promise<string> => {
  try {
    const answer = await fetch("/api/oidc/logout");

    return answerSchema.parse(await answer.json()).url ?? "/sign-in";
  } catch {
    return "/sign-in";
  }
};

/** Signs out, also at the provider, and reloads, clearing memory. */
export const leave = async (): Promise<void> => {
  const next = await findNext();
  await signOut({ redirect: false });
  window.location.assign(next);
};
