import { systemClock } from "@/server/clock";
import { makeContext } from "@/server/trpc/context";
import { answering } from "@/server/web/answering";
import { exportTrust } from "@/server/web/trust-export";

/** The trust log as CSV or JSONL. */
export const GET = answering((request: Request) => exportTrust(new URL(request.url), makeContext(request.headers), systemClock.now()));
