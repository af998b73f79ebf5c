import NextAuth from "next-auth";
import type { NextRequest } from "next/server";
import { AppError } from "@/lib/errors";
import { authOptions } from "@/server/auth";

type Context = { readonly params: Promise<{ nextauth: string[] }> };

const handle = async (request: NextRequest, context: Context): Promise<Response> => {
  // next-auth answers with a Response when given a NextRequest, and declares it as any.
  const response: unknown = await NextAuth(request, context, authOptions());
  if (!(response instanceof Response)) throw new AppError("internal");
  response.headers.set("Cache-Control", "private, no-store");

  return response;
};

export { handle as GET, handle as POST };
