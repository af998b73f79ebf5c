import { makeContext } from "@/server/trpc/context";
import { handleRequests } from "@/server/web/answering";
import { respondUpload } from "@/server/web/artifacts";

/** Takes a file for the inputs of a run. */
export const POST = handleRequests((request: Request) => respondUpload(makeContext(request.headers), request));
