import { signOut } from "next-auth/react";

/** Signs out and reloads, clearing memory. */
export const leave = async (): Promise<void> => {
  await signOut({ redirect: false });
  window.location.assign("/sign-in");
};
