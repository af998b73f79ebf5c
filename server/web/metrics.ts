import { readEnv } from "@/server/env";
import { collectWebMetrics } from "@/server/metrics";
import { showsToken } from "@/server/security/bearer";

const PRIVATE = { "Cache-Control": "private, no-store" };

/** Returns metrics; disabled without a token, since the web is public. */
export const respondMetrics = async (authorization: string | null, token = readEnv().COUNTERSIGN_METRICS_TOKEN): Promise<Response> => {
  if (token === undefined) return new Response("Not found\n", { status: 404, headers: PRIVATE });
  if (!showsToken(authorization, token)) {
    return new Response("Unauthorized\n", { status: 401, headers: { ...PRIVATE, "WWW-Authenticate": "Bearer" } });
  }
  const { contentType, text } = await collectWebMetrics();

  return new Response(text, { headers: { ...PRIVATE, "Content-Type": contentType } });
};
