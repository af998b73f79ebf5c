/** How a server's process failed to answer: what crosses from a tool host to the control plane, and what people read of it. */
import { z } from "zod";
import { ERRORS } from "@/lib/errors";
import { terminalText } from "@/lib/terminal-text.mjs";

/** Bounds on the end of the error output that is kept. */
export const ERROR_OUTPUT_LIMITS = { maxLines: 50, maxBytes: 8_192 } as const;

export const processFailureSchema = z.strictObject({
  /** System error code of a program that could not be started, such as ENOENT. */
  errno: z
    .string()
    .regex(/^E[A-Z0-9]{1,20}$/)
    .nullable(),
  exitCode: z.int().nullable(),
  /** Signal that ended the process. */
  signal: z
    .string()
    .regex(/^SIG[A-Z0-9]{1,20}$/)
    .nullable(),
  /** End of its error output, without control characters; untrusted. */
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

/** One sentence for everyone; it quotes nothing that the server wrote. */
export const failureMessage = (failure: ProcessFailure): string => {
  const { message } = ERRORS.server_unreachable;
  const reason = reasonOf(failure);

  return reason === null ? message : `${message.slice(0, -1)}: ${reason}.`;
};
