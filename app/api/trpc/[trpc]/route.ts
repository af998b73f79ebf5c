import { makeContext } from "@/server/trpc/context";
import { handleTrpc } from "@/server/trpc/handler";

const handle = (request: Request): Promise<Response> => handleTrpc(request, makeContext(request.headers));

export { handle as GET, handle as POST };
