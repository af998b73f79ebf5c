import { z } from "zod";

const MOST_REASONS = 20;
const MOST_CHARS = 200;

export const reasonTemplatesSchema = z
  .array(
    z
      .string()
      .trim()
      .min(1, "Enter a reason.")
      .max(MOST_CHARS, `At most ${MOST_CHARS} characters a reason.`)
      .regex(/^\P{Cc}*$/u, "One line each."),
  )
  .max(MOST_REASONS, `At most ${MOST_REASONS} reasons.`)
  .transform((reasons) => [...new Set(reasons)]);

export const addReason = (text: string, reason: string): string => {
  const written = text.trim();
  if (written === "") return reason;

  return written.split("\n").includes(reason) ? written : `${written}\n${reason}`;
};
