import { makeContext } from "@/server/trpc/context";
import { handleRequests } from "@/server/web/answering";
import { respondLedgerRecords } from "@/server/web/ledger-download";

/** Serves the records for browser verification. */
export const GET = handleRequests((request: Request) => respondLedgerRecords(makeContext(request.headers)));
