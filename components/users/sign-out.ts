import { signOut } from "next-auth/react";

/** Ends this session and loads the sign-in page anew, so that nothing of the old one stays in memory. */
export const leave = async (): Promise<void> => {
  await signOut({ redirect: false });
  window.location.assign("/sign-in");
};
