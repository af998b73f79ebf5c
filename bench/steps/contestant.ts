/** What everybody who is measured is told, and what they answer. */
import { randomBytes } from "node:crypto";
import { z } from "zod";

export const orderSchema = z.object({
  databaseUrl: z.string(),
  /** How many are under way at once. */
  runs: z.number().int().min(1),
  /** Of each run. */
  steps: z.number().int().min(1),
  /** Of the one run that everybody drives before the clock starts, so that nobody is measured before their code is warm. */
  warmSteps: z.number().int().min(4),
  /** Bytes of memory that a run carries from its start on. */
  stateBytes: z.number().int().min(0),
});
export type Order = z.infer<typeof orderSchema>;

export const measuredSchema = z.object({
  /** Durable ones, counted in the database afterwards. */
  steps: z.number().int(),
  /** Durable steps of the run before the clock started, counted likewise. */
  warmed: z.number().int(),
  seconds: z.number(),
  /** Milliseconds from one durable step of a run to its next. */
  latencies: z.array(z.number()),
});
export type Measured = z.infer<typeof measuredSchema>;

/** Takes down when each run made its steps. */
export const stopwatch = () => {
  const last = new Map<string, number>();
  const latencies: number[] = [];

  return {
    latencies,
    /** A step of this run is durable now. */
    step: (run: string): void => {
      const now = performance.now();
      const before = last.get(run);
      if (before !== undefined) latencies.push(now - before);
      last.set(run, now);
    },
  };
};

/** What a run carries in its memory: nothing that a database could make smaller. */
export const textOf = (bytes: number): string => randomBytes(bytes).toString("base64").slice(0, bytes);
