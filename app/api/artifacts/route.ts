import { makeContext } from "@/server/trpc/context";
import { handleRequests } from "@/server/web/answering";
import { respondUpload } from "@/server/web/artifacts";

export const POST = handleRequests((request: Request) => respondUpload(makeContext(request.headers), request));
