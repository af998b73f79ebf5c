import { describeProtectedResource } from "@/server/outside/metadata";

type Context = { readonly params: Promise<{ path: string[] }> };

export const GET = async (_request: Request, { params }: Context): Promise<Response> => describeProtectedResource((await params).path);
