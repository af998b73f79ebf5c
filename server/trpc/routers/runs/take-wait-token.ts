import { z } from "zod";
import { computeWaitTokenHash } from "@/lib/engine/decide/wait";
import { createProcedure } from "@/server/trpc/init";
import { submitToWait } from "@/server/trpc/run-commands";
import { generateWaitToken } from "@/server/waits/wait-token";
import { getWaitUrl } from "@/server/waits/wait-url";

/** Hands the one-time token of the open wait to its page, which shows it once. */
export const runsTakeWaitToken = createProcedure("run.start")
  .input(z.strictObject({ runId: z.uuid() }))
  .mutation(async ({ ctx, input: { runId } }) => {
    const token = generateWaitToken({ workspaceId: ctx.workspaceId, runId });
    await submitToWait(ctx, runId, { kind: "take_wait_token", token_hash: computeWaitTokenHash(token) });

    return { token, url: getWaitUrl(token) };
  });
