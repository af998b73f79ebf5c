import { makeContext } from "@/server/trpc/context";
import { ledgerRecords } from "@/server/web/ledger-download";

/** All records of the workspace, for the browser to verify. */
export const GET = (request: Request): Promise<Response> => ledgerRecords(makeContext(request.headers));
