import "server-only";
import NextAuth from "next-auth";
import { NextRequest } from "next/server";
import { AppError, ERRORS } from "@/lib/errors";
import { buildAuthOptions } from "@/server/auth";
import { getClientNetwork } from "@/server/auth/client-address";
import { guardOidc } from "@/server/auth/oidc";
import { visitOf } from "@/server/auth/visit";
import { isDatabaseAnswering } from "@/server/store/ledger/answers";
import { guardOrigin, readBody } from "@/server/security/request-guard";

type Context = { readonly params: Promise<{ nextauth: string[] }> };

const guarded = async (request: NextRequest): Promise<NextRequest> => {
  if (request.method === "GET") return request;
  // The origin check also prevents login CSRF.
  guardOrigin(request.headers);

  return new NextRequest(request.url, { method: request.method, headers: request.headers, body: await readBody(request.body) });
};

const answer = async (request: NextRequest, context: Context): Promise<Response> => {
  try {
    // next-auth would report an outage as a wrong password.
    if (!(await isDatabaseAnswering(performance.now()))) throw new AppError("database_unreachable");
    guardOidc((await context.params).nextauth, getClientNetwork(request.headers.get("x-forwarded-for")));
    // next-auth declares any.
    const response: unknown = await NextAuth(await guarded(request), context, buildAuthOptions(visitOf(request.headers)));
    if (!(response instanceof Response)) throw new AppError("internal");

    return response;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;

    return Response.json({ code: error.code, message: error.message }, { status: ERRORS[error.code].http });
  }
};

export const handleAuth = async (request: NextRequest, context: Context): Promise<Response> => {
  const response = await answer(request, context);
  response.headers.set("Cache-Control", "private, no-store");

  return response;
};
