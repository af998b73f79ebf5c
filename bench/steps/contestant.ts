import { randomBytes } from "node:crypto";
import { z } from "zod";

export const orderSchema = z.object({
  databaseUrl: z.string(),
  runs: z.number().int().min(1),
  /** Per run. */
  steps: z.number().int().min(1),
  warmSteps: z.number().int().min(4),
  stateBytes: z.number().int().min(0),
});
export type Order = z.infer<typeof orderSchema>;

export const measuredSchema = z.object({
  /** Durable, counted in the database. */
  steps: z.number().int(),
  warmed: z.number().int(),
  seconds: z.number(),
  /** Between durable steps, ms. */
  latencies: z.array(z.number()),
});
export type Measured = z.infer<typeof measuredSchema>;

export const startStopwatch = () => {
  const last = new Map<string, number>();
  const latencies: number[] = [];

  return {
    latencies,
    step: (run: string): void => {
      const now = performance.now();
      const before = last.get(run);
      if (before !== undefined) latencies.push(now - before);
      last.set(run, now);
    },
  };
};

export const getText = (bytes: number): string => randomBytes(bytes).toString("base64").slice(0, bytes);
