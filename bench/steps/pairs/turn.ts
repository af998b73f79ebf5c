import { z } from "zod";

/** Begins an answer among log lines. */
export const ANSWER = "turn ";

export type TurnOrder = { readonly runs: number; readonly steps: number };

export const turnSchema = z.object({ completed: z.number(), wallMs: z.number(), postgresMs: z.number(), cpuMs: z.number() });
export type Turn = z.infer<typeof turnSchema>;
