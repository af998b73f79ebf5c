import { systemClock } from "@/server/clock";
import { makeContext } from "@/server/trpc/context";
import { bundleResponse } from "@/server/web/bundle-stream";

/** Exports a run bundle, redacted for the reader. */
export const GET = async (request: Request, { params }: { readonly params: Promise<{ readonly id: string }> }): Promise<Response> =>
  bundleResponse((await params).id, makeContext(request.headers), systemClock.now());
