import { systemClock } from "@/server/clock";
import { makeContext } from "@/server/trpc/context";
import { ledgerDownload } from "@/server/web/ledger-download";

/** All records of the workspace as one file. */
export const GET = (request: Request): Promise<Response> => ledgerDownload(makeContext(request.headers), systemClock.now());
