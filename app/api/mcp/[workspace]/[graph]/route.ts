import { handleOutside } from "@/server/outside/handle";

type Context = { readonly params: Promise<{ workspace: string; graph: string }> };

const handle = async (request: Request, { params }: Context): Promise<Response> => handleOutside(request, await params);

export { handle as DELETE, handle as GET, handle as POST };
