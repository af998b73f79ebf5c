import { systemClock } from "@/server/clock";
import { makeContext } from "@/server/trpc/context";
import { answering } from "@/server/web/answering";
import { ledgerDownload } from "@/server/web/ledger-download";

/** All records of the workspace as one file. */
export const GET = answering((request: Request) => ledgerDownload(makeContext(request.headers), systemClock.now()));
