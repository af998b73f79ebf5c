import { handleTriggerRequest } from "@/server/web/trigger-request";

type Params = { readonly params: Promise<{ readonly workspace: string; readonly graph: string; readonly trigger: string }> };

export const POST = async (request: Request, { params }: Params): Promise<Response> => {
  const { workspace: workspaceId, graph: graphId, trigger } = await params;

  return handleTriggerRequest(request, { workspaceId, graphId, trigger });
};
