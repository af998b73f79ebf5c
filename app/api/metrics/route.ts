import { respondMetrics } from "@/server/web/metrics";

export const dynamic = "force-dynamic";

/** What this web process counts, as Prometheus reads it, for whoever shows the token of the installation. */
export const GET = (request: Request): Promise<Response> => respondMetrics(request.headers.get("authorization"));
