import { systemClock } from "@/server/clock";
import { makeContext } from "@/server/trpc/context";
import { handleRequests } from "@/server/web/answering";
import { exportTrust } from "@/server/web/trust-export";

/** Exports the trust log as CSV or JSONL. */
export const GET = handleRequests((request: Request) => exportTrust(new URL(request.url), makeContext(request.headers), systemClock.now()));
