import NextAuth from "next-auth";
import type { NextRequest } from "next/server";
import { authOptions } from "@/server/auth";

type Context = { readonly params: Promise<{ nextauth: string[] }> };

// next-auth declares the result of this call as any; it answers with a Response when given a NextRequest.
const handle = (request: NextRequest, context: Context): Promise<Response> => NextAuth(request, context, authOptions()) as Promise<Response>;

export { handle as GET, handle as POST };
