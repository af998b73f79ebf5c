import { makeContext } from "@/server/trpc/context";
import { handleRequests } from "@/server/web/answering";
import { respondArtifact } from "@/server/web/artifacts";

type Params = { readonly params: Promise<{ readonly id: string }> };

export const POST = handleRequests(async (request: Request, { params }: Params) =>
  respondArtifact(makeContext(request.headers), request, (await params).id),
);
