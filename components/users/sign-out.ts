import { signOut } from "next-auth/react";

/** Ends this session and reloads the sign-in page, so that no data stays in memory. */
export const leave = async (): Promise<void> => {
  await signOut({ redirect: false });
  window.location.assign("/sign-in");
};
