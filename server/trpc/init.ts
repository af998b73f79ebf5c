import { initTRPC } from "@trpc/server";
import type { Sender } from "@/server/store/runs/command-envelope";
import { AppError } from "@/lib/errors";
import { isAllowed, type Permission } from "@/lib/roles";
import { demandFresh } from "@/server/auth/fresh";
import type { SignedIn } from "@/server/auth/signed-in";
import { systemClock } from "@/server/clock";
import { log } from "@/server/log";
import { observeProcedure, startStopwatch } from "@/server/metrics";
import { runInSpan } from "@/server/trace";
import { openWhile } from "./open-while";
import { toAppError, formatError } from "./error-shape";
import { countMutation, countStream } from "./per-person";

export type RequestContext = {
  readonly requestId: string;
  /** For rate limits only. */
  readonly address: string;
  readonly host: string | null;
  /** As the tab shows; null: not told. */
  readonly workspace?: string | null;
  /** Cached per request, except for open answers. */
  readonly signedIn: (again?: "again") => Promise<SignedIn | null>;
};

/** `sometimes`: the procedure calls `ctx.demandFresh()`. */
type Fresh = true | "sometimes";

export type ProcedureMeta = { readonly access: Permission | "public"; readonly fresh?: Fresh };

const HOUR_MS = 3_600_000;

const t = initTRPC
  .context<RequestContext>()
  .meta<ProcedureMeta>()
  .create({
    isDev: false,
    errorFormatter: ({ shape, error, ctx }) => ({ ...shape, ...formatError(error, ctx?.requestId ?? null) }),
    // Each forced reconnect is a gap of about three seconds.
    sse: { ping: { enabled: true, intervalMs: 10_000 }, maxDurationMs: 6 * HOUR_MS, client: { reconnectAfterInactivityMs: 30_000 } },
  });

export const router = t.router;
export const createCallerFactory = t.createCallerFactory;

const measured = t.procedure.use(({ path, next }) =>
  runInSpan(
    path,
    { "rpc.method": path },
    async (note) => {
      const elapsed = startStopwatch();
      const result = await next();
      const code = result.ok ? "ok" : toAppError(result.error).code;
      observeProcedure(path, code, elapsed());
      if (!result.ok) note({ "error.type": code });

      return result;
    },
    "answers",
  ),
);

const logged = measured.use(async ({ ctx, path, type, next }) => {
  const result = await next();
  if (result.ok) return result;

  const error = toAppError(result.error);
  if (error.code === "internal") log().error({ requestId: ctx.requestId, path, type, err: error.cause }, "a procedure failed");
  else log().debug({ requestId: ctx.requestId, path, type, code: error.code, refusal: error.refusal }, "a procedure was denied");

  return result;
});

/** For use before sign-in, as listed in access-table.ts. */
export const publicProcedure = logged.meta({ access: "public" });

/** Longest time an open answer outlives its rights. */
const STILL_MS = 5_000;

const objectionTo = (now: SignedIn | null, then: SignedIn): AppError | null => {
  if (now === null) return new AppError("unauthenticated");

  return now.role === then.role && now.auditor === then.auditor ? null : new AppError("forbidden", { message: "Your role has changed." });
};

/** Builds a procedure for members with `permission` or the auditor add-on. */
export const createProcedure = (permission: Permission, { fresh }: { readonly fresh?: Fresh } = {}) =>
  logged.meta({ access: permission, ...(fresh === undefined ? {} : { fresh }) }).use(async ({ ctx, type, next }) => {
    const signedIn = await ctx.signedIn();
    if (signedIn === null) throw new AppError("unauthenticated");
    if ((ctx.workspace ?? signedIn.workspace.id) !== signedIn.workspace.id) throw new AppError("workspace_changed");
    if (!isAllowed(signedIn.role, permission, signedIn.auditor)) throw new AppError("forbidden");
    if (type === "mutation") countMutation(signedIn.user.id);
    const demand = () => demandFresh(signedIn.session, systemClock.now());
    if (fresh === true) demand();

    const result = await next({
      ctx: {
        user: signedIn.user,
        author: { type: "user", id: signedIn.user.id, session: signedIn.session } satisfies Sender,
        workspaceId: signedIn.workspace.id,
        isDemo: signedIn.workspace.demo,
        role: signedIn.role,
        auditor: signedIn.auditor,
        session: signedIn.session,
        demandFresh: demand,
        requestId: ctx.requestId,
      },
    });
    if (type !== "subscription" || !result.ok) return result;
    const objection = async () => objectionTo(await ctx.signedIn("again"), signedIn);

    return { ...result, data: openWhile(countStream(signedIn.user.id, result.data), objection, STILL_MS) };
  });
