import { respondMetrics } from "@/server/web/metrics";

export const dynamic = "force-dynamic";

/** Prometheus metrics of this process, for the installation's token. */
export const GET = (request: Request): Promise<Response> => respondMetrics(request.headers.get("authorization"));
