/** The API over HTTP. */
import { TRPCError } from "@trpc/server";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { getErrorShape } from "@trpc/server/unstable-core-do-not-import";
import type { RequestContext } from "./init";
import { guardMutation, readBody } from "./request-guard";
import { appRouter } from "./root";

/** Matches the limit of the client's batch link. */
const MAX_BATCH = 20;

const withPrivacy = (response: Response): Response => {
  response.headers.set("Cache-Control", "private, no-store");

  return response;
};

const denied = (cause: unknown, context: RequestContext): Response => {
  const error = new TRPCError({ code: "BAD_REQUEST", cause });
  const shape = getErrorShape({ config: appRouter._def._config, error, type: "unknown", path: undefined, input: undefined, ctx: context });

  return Response.json({ error: shape }, { status: shape.data.httpStatus });
};

const dispatch = async (request: Request, context: RequestContext): Promise<Response> => {
  try {
    const isMutation = request.method !== "GET";
    if (isMutation) guardMutation(request.headers);
    const forwarded = isMutation
      ? new Request(request.url, { method: request.method, headers: request.headers, body: await readBody(request.body), signal: request.signal })
      : request;

    return await fetchRequestHandler({
      endpoint: "/api/trpc",
      req: forwarded,
      router: appRouter,
      createContext: () => context,
      maxBatchSize: MAX_BATCH,
    });
  } catch (error) {
    return denied(error, context);
  }
};

/** Answers one request to /api/trpc. */
export const handleTrpc = async (request: Request, context: RequestContext): Promise<Response> => withPrivacy(await dispatch(request, context));
