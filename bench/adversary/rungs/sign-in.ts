import { createHash, randomUUID } from "node:crypto";
import { SIGN_IN_WORKSPACE, signInPlace, type SignInAnswer, type SignInRequest } from "@/lib/people/sign-in";
import { generateSessionSeed, getPublicKey, type SessionKey } from "@/server/security/session-key";
import { insertSignIn, signInAnswer } from "@/server/store/people/sign-ins";
import { queryOn } from "@/server/testing/connections";
import { until } from "./until";
import type { World } from "./world";

export const sha256Hex = (text: string): string => createHash("sha256").update(text).digest("hex");

/** With the web process's role and vault key. */
export const sendSignIn = (world: World, request: SignInRequest, id: string = randomUUID()): Promise<SignInAnswer> =>
  world.asWeb(async () => {
    await insertSignIn(id, world.desk.deps.vault.sealCommand(SIGN_IN_WORKSPACE, signInPlace(id), request));

    return until("a sign-in is answered", () => signInAnswer(id));
  });

type Credentials<R = Exclude<SignInRequest, { type: "proof" | "logout" }>> = R extends SignInRequest
  ? Omit<R, "public_key" | "address" | "user_agent">
  : never;

/** Under the attacker's key; null: refused. */
export const openSession = async (world: World, credentials: Credentials): Promise<(SessionKey & { readonly user: string }) | null> => {
  const key = generateSessionSeed();
  const answer = await sendSignIn(world, { ...credentials, public_key: getPublicKey(key), address: "127.0.0.x", user_agent: "Firefox" });

  return answer.status === "ok" ? { id: answer.session, key, user: answer.user } : null;
};

export const emailOf = async ({ desk }: World, user: string): Promise<string> => {
  const [row] = await queryOn<{ email: string }>(desk.urls.admin, "select email from app_user where id = $1", [user]);

  return row?.email ?? "";
};

export const canSignIn = async (world: World, user: string, password: string): Promise<boolean> =>
  (await openSession(world, { type: "password", email: await emailOf(world, user), password }))?.user === user;
