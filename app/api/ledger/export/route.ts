import { systemClock } from "@/server/clock";
import { makeContext } from "@/server/trpc/context";
import { handleRequests } from "@/server/web/answering";
import { respondLedgerDownload } from "@/server/web/ledger-download";

/** Downloads the workspace's records. */
export const GET = handleRequests((request: Request) => respondLedgerDownload(makeContext(request.headers), systemClock.now()));
