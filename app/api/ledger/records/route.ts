import { makeContext } from "@/server/trpc/context";
import { handleRequests } from "@/server/web/answering";
import { respondLedgerRecords } from "@/server/web/ledger-download";

export const GET = handleRequests((request: Request) => respondLedgerRecords(makeContext(request.headers)));
