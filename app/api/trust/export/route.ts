import { systemClock } from "@/server/clock";
import { makeContext } from "@/server/trpc/context";
import { exportTrust } from "@/server/web/trust-export";

/** The trust log as CSV or JSONL. */
export const GET = (request: Request): Promise<Response> =>
  exportTrust(new URL(request.url), makeContext(request.headers), systemClock.now());
