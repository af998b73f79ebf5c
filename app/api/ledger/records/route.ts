import { makeContext } from "@/server/trpc/context";
import { answering } from "@/server/web/answering";
import { ledgerRecords } from "@/server/web/ledger-download";

/** All records of the workspace, for the browser to verify. */
export const GET = answering((request: Request) => ledgerRecords(makeContext(request.headers)));
