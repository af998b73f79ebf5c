import { z } from "zod";
import { uuidSchema } from "@/lib/ids";
import { jsonSchema } from "@/lib/json";
import { createProcedure } from "@/server/trpc/init";
import { submitToWait } from "@/server/trpc/run-commands";

export const runsAnswerWait = createProcedure("run.start")
  .input(z.strictObject({ runId: uuidSchema, waitId: uuidSchema, value: jsonSchema }))
  .mutation(({ ctx, input: { runId, waitId, value } }) => submitToWait(ctx, runId, { kind: "answer_wait", wait_id: waitId, value }));
