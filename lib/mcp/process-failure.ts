import { z } from "zod";
import { ERRORS } from "@/lib/errors";
import { terminalText } from "@/lib/terminal-text.mjs";

export const ERROR_OUTPUT_LIMITS = { maxLines: 50, maxBytes: 8_192 } as const;

export const processFailureSchema = z.strictObject({
  /** Such as ENOENT, if it could not start. */
  errno: z
    .string()
    .regex(/^E[A-Z0-9]{1,20}$/)
    .nullable(),
  exitCode: z.int().nullable(),
  signal: z
    .string()
    .regex(/^SIG[A-Z0-9]{1,20}$/)
    .nullable(),
  /** Without control characters; untrusted. */
  output: z
    .string()
    .max(ERROR_OUTPUT_LIMITS.maxBytes)
    .refine((text) => terminalText(text) === text),
});
export type ProcessFailure = z.infer<typeof processFailureSchema>;

const reasonOf = ({ errno, exitCode, signal }: ProcessFailure): string | null => {
  if (errno !== null) return `its program could not be started (${errno})`;
  if (signal !== null) return `its process was ended by ${signal}`;

  return exitCode === null ? null : `its process exited with code ${exitCode}`;
};

/** Describes a failure without quoting the server. */
export const failureMessage = (failure: ProcessFailure): string => {
  const { message } = ERRORS.server_unreachable;
  const reason = reasonOf(failure);

  return reason === null ? message : `${message.slice(0, -1)}: ${reason}.`;
};
