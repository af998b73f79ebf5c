import { z } from "zod";
import { OUTAGE_CAUSES } from "@/lib/engine/outage-causes";
import { Suspended } from "@/server/executors/contract";
import { RemoteFailure } from "@/server/ipc/errors";
import { ModelError, type ModelErrorCode } from "@/server/models/contract";

const [SUSPENDED, MODEL_ERROR, INTERNAL] = ["suspended", "model_error", "internal"];

const modelErrorSchema = z.strictObject({
  // Scripts have their own codes.
  code: z.custom<ModelErrorCode>((value) => typeof value === "string" && value.length > 0 && value.length <= 64),
  retryable: z.boolean(),
  retryAfterMs: z.int().min(0).max(86_400_000).nullable(),
  billed: z.enum(["no", "maybe"]),
  outage: z.enum(OUTAGE_CAUSES).nullable(),
});

/** Returns null for errors that stay local. */
export const describeFailure = (error: unknown): RemoteFailure | null => {
  if (error instanceof Suspended) return new RemoteFailure(SUSPENDED, error.message);
  if (!(error instanceof ModelError)) return null;
  const { code, retryable, retryAfterMs, billed, outage } = error;

  return new RemoteFailure(MODEL_ERROR, error.message, { code, retryable, retryAfterMs, billed, outage });
};

/** Restores a described error; null for an unknown form. */
export const restoreFailure = ({ code, message, data }: RemoteFailure): Error | null => {
  if (code === SUSPENDED) return new Suspended();
  if (code === INTERNAL) return new Error("the other process says that it failed");
  if (code !== MODEL_ERROR) return null;
  const described = modelErrorSchema.safeParse(data);
  if (!described.success) return null;
  const { code: modelCode, retryable, ...rest } = described.data;

  return new ModelError(modelCode, retryable, message, rest);
};
