/** Signing in as one of the demo accounts: on this machine only, and only where the server is bound to loopback. */
import { z } from "zod";
import { roleSchema } from "@/lib/roles";
import { env } from "@/server/env";
import { listDemoAccounts } from "@/server/store/workspaces/workspaces";
import { beginSession, type SignInOutcome } from "./begin-session";
import { isLoopbackHost } from "./loopback";
import type { Visit } from "./visit";

/**
 * Whether the demo is offered to this request. The Host header is looked at too: a page that rebinds its own name to
 * 127.0.0.1 reaches the server, but under its own name.
 */
export const isDemoOffered = (host: string | null | undefined): boolean => env().COUNTERSIGN_LOOPBACK && isLoopbackHost(host);

const demoSchema = z.strictObject({
  role: roleSchema,
  /** The second account of the role. Text, as every credential of a form is. */
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
