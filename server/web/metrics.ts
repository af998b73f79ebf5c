/** Metrics of the publicly reachable web process; disabled without a token. */
import { env } from "@/server/env";
import { webMetrics } from "@/server/metrics";
import { showsToken } from "@/server/security/bearer";

const PRIVATE = { "Cache-Control": "private, no-store" };

/** @param authorization the request's header */
export const metricsResponse = async (authorization: string | null, token = env().COUNTERSIGN_METRICS_TOKEN): Promise<Response> => {
  if (token === undefined) return new Response("Not found\n", { status: 404, headers: PRIVATE });
  if (!showsToken(authorization, token)) {
    return new Response("Unauthorized\n", { status: 401, headers: { ...PRIVATE, "WWW-Authenticate": "Bearer" } });
  }
  const { contentType, text } = await webMetrics();

  return new Response(text, { headers: { ...PRIVATE, "Content-Type": contentType } });
};
