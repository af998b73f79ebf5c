import { TRPCError } from "@trpc/server";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { TRPC_ERROR_CODES_BY_KEY } from "@trpc/server/rpc";
import { guardMutation, readBody } from "@/server/security/request-guard";
import { formatError } from "./error-shape";
import type { RequestContext } from "./init";
import { appRouter } from "./root";

/** Matches the client's batch link. */
const MAX_BATCH = 20;

const withPrivacy = (response: Response): Response => {
  response.headers.set("Cache-Control", "private, no-store");

  return response;
};

const denied = (cause: unknown, context: RequestContext): Response => {
  const shape = formatError(new TRPCError({ code: "INTERNAL_SERVER_ERROR", cause }), context.requestId);

  return Response.json({ error: { ...shape, code: TRPC_ERROR_CODES_BY_KEY.BAD_REQUEST } }, { status: shape.data.httpStatus });
};

const dispatch = async (request: Request, context: RequestContext): Promise<Response> => {
  try {
    const isMutation = request.method !== "GET";
    if (isMutation) guardMutation(request.headers);
    const forwarded = isMutation
      ? new Request(request.url, {
          method: request.method,
          headers: request.headers,
          body: await readBody(request.body),
          signal: request.signal,
        })
      : request;

    return await fetchRequestHandler({
      endpoint: "/api/trpc",
      req: forwarded,
      router: appRouter,
      // A stream has no headers.
      createContext: ({ info }) => ({ ...context, workspace: context.workspace ?? info.connectionParams?.["workspace"] ?? null }),
      maxBatchSize: MAX_BATCH,
    });
  } catch (error) {
    return denied(error, context);
  }
};

export const handleTrpc = async (request: Request, context: RequestContext): Promise<Response> =>
  withPrivacy(await dispatch(request, context));
