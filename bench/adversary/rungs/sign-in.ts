/** Signing in as the web process does it. */
import { createHash } from "node:crypto";
import { signInWithPassword } from "@/server/auth/password-sign-in";
import { queryOn } from "@/server/testing/connections";
import type { World } from "./world";

export const sha256Hex = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Whether the honest web process takes whoever has this password for this person. */
export const canSignIn = async (world: World, user: string, password: string): Promise<boolean> => {
  const [row] = await queryOn<{ email: string }>(world.desk.urls.admin, "select email from app_user where id = $1", [user]);
  const outcome = await world.asWeb(() => signInWithPassword({ email: row?.email ?? "", password }, "127.0.0.1"));

  return outcome.status === "ok" && outcome.claims.userId === user;
};
