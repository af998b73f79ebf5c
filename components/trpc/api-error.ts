import { NotSigned } from "@/components/passkeys/not-signed";
import { TRPCClientError } from "@trpc/client";
import { z } from "zod";
import { ERRORS, type ErrorCode } from "@/lib/errors";
import type { RefusalCode } from "@/lib/refusal";
import type { ErrorIssue } from "@/server/trpc/error-shape";

export type ApiError = {
  readonly code: ErrorCode;
  readonly message: string;
  readonly refusal: RefusalCode | null;
  readonly requestId: string | null;
  readonly issues: readonly ErrorIssue[];
};

const isErrorCode = (value: unknown): value is ErrorCode => typeof value === "string" && Object.hasOwn(ERRORS, value);

const dataSchema = z.object({
  code: z.custom<ErrorCode>(isErrorCode),
  refusal: z.custom<RefusalCode>((value) => typeof value === "string").nullable(),
  requestId: z.string().nullable(),
  issues: z.array(z.object({ path: z.string(), message: z.string() })),
});

/** Converts an error to code, sentence and request id. */
export const toApiError = (error: unknown): ApiError => {
  if (error instanceof TRPCClientError) {
    const data = dataSchema.safeParse(error.data);
    if (data.success) return { ...data.data, message: error.message };
  }

  if (error instanceof NotSigned) return { code: "refused", message: error.message, refusal: null, requestId: null, issues: [] };

  return { code: "internal", message: "The server could not be reached.", refusal: null, requestId: null, issues: [] };
};
