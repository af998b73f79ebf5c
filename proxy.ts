/** Content security policy, and an outage page. No authorization. */
import { NextResponse, type NextRequest } from "next/server";
import { readEnv } from "@/server/env";
import { isDatabaseAnswering } from "@/server/store/ledger/answers";
import { renderAwayPage } from "@/server/web/answering";

const policy = (nonce: string, isDevelopment: boolean): string =>
  [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${isDevelopment ? " 'unsafe-eval'" : ""}`,
    // React Flow's style attributes cannot carry a nonce.
    isDevelopment ? "style-src 'self' 'unsafe-inline'" : `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self'${isDevelopment ? " ws:" : ""}`,
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");

export const proxy = async (request: NextRequest): Promise<Response> => {
  if (!(await isDatabaseAnswering(performance.now()))) return renderAwayPage();
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64");
  const contentSecurityPolicy = policy(nonce, readEnv().NODE_ENV === "development");
  const headers = new Headers(request.headers);
  // Next reads its nonce here.
  headers.set("Content-Security-Policy", contentSecurityPolicy);
  headers.set("x-nonce", nonce);
  headers.set("x-path", request.nextUrl.pathname);
  headers.set("x-workspace", request.nextUrl.searchParams.get("workspace") ?? "");
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("Content-Security-Policy", contentSecurityPolicy);
  response.headers.set("Cache-Control", "private, no-store");

  return response;
};

export const config = { matcher: [{ source: "/((?!api/|_next/static|_next/image|favicon.ico|icon.svg|push-worker.js|robots.txt).*)" }] };
