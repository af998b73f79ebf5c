import { z } from "zod";
import { roleSchema } from "@/lib/roles";
import { readEnv } from "@/server/env";
import { listDemoAccounts } from "@/server/store/workspaces/workspaces";
import { beginSession, type SignInOutcome } from "./begin-session";
import { isLoopbackHost } from "./loopback";
import type { Visit } from "./visit";

/** Returns whether the demo is offered, checking Host against DNS rebinding. */
export const isDemoOffered = (host: string | null | undefined): boolean => readEnv().COUNTERSIGN_LOOPBACK && isLoopbackHost(host);

const demoSchema = z.strictObject({
  role: roleSchema,
  /** Second account of the role. */
  second: z.enum(["true", "false"]).default("false"),
});

export const signInAsDemo = async (credentials: unknown, host: string | null | undefined, visit: Visit): Promise<SignInOutcome> => {
  const parsed = demoSchema.safeParse(credentials);
  if (!parsed.success || !isDemoOffered(host)) return { status: "denied" };

  const account = (await listDemoAccounts()).find(
    ({ role, second }) => role === parsed.data.role && second === (parsed.data.second === "true"),
  );

  return account ? beginSession({ type: "demo", user: account.userId }, visit) : { status: "denied" };
};
