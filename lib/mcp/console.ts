/** An admin's test call of a tool, outside runs. */
import { z } from "zod";
import type { EffectClass } from "@/lib/graph/document";
import { toolNameSchema } from "@/lib/graph/tool-ref";
import { hexDigestSchema } from "@/lib/hash";
import { idSchema } from "@/lib/ids";
import { jsonSchema } from "@/lib/json";

export const consoleAskSchema = z.strictObject({
  id: idSchema,
  tool: toolNameSchema,
  /** On screen; others are not called. */
  definition_digest: hexDigestSchema,
  arguments: z.record(z.string().max(200), jsonSchema),
  /** For calls with effects. */
  typed: z.string().max(200).nullable(),
});
export type ConsoleAsk = z.infer<typeof consoleAskSchema>;

export const mustBeTyped = (effect: EffectClass): boolean => effect === "write" || effect === "irreversible";

export const CONSOLE_REFUSALS = {
  forbidden: "Your role can't try tools.",
  not_found: "Server or tool not found.",
  revoked: "The server is revoked.",
  not_active: "Only reviewed tools of an active server can be tried.",
  blocked: "The tool is turned off.",
  not_typed: "This tool may change something. Type its name to call it.",
  changed: "The tool changed since you opened it. Reload and read it before you call it.",
  arguments_invalid: "The arguments don't match the tool's schema. Nothing was called.",
  unreachable: "The server could not be reached. Nothing was called.",
  busy: "The tool is busy or paused after faults. Nothing was called.",
  asks: "The tool asked for input, which only runs support.",
  stopped: "All work is stopped. Nothing was called.",
  expired: "No runner picked up the call in time. Nothing was called.",
  interrupted: "The runner stopped during the call. The tool may have been called.",
} as const;
export type ConsoleRefusal = keyof typeof CONSOLE_REFUSALS;

/** `result`: untrusted. `record`: workspace ledger sequence number. */
export const consoleAnswerSchema = z.discriminatedUnion("status", [
  z.strictObject({
    status: z.enum(["ok", "tool_error"]),
    result: jsonSchema,
    ms: z.number().int().min(0),
    record: z.number().int().min(0),
  }),
  z.strictObject({ status: z.literal("refused"), code: z.enum(Object.keys(CONSOLE_REFUSALS) as [ConsoleRefusal, ...ConsoleRefusal[]]) }),
]);
export type ConsoleAnswer = z.infer<typeof consoleAnswerSchema>;

/** Seals request and answer. */
export const askPlace = (callId: string): string => `console ${callId}`;
export const answerPlace = (callId: string): string => `console-answer ${callId}`;
