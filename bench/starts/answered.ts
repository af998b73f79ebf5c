import { z } from "zod";
import { quantile } from "@/bench/report";
import type { Answer } from "./open-loop";

export type Answered = {
  readonly asked: number;
  readonly accepted: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly most: number;
};

/** DBOS answers 201. */
export const ACCEPTED: readonly number[] = [201, 202];

const startedSchema = z.object({ runId: z.string() });

/** Null: not accepted. */
export const readRuns = (answers: readonly Answer[]): readonly (string | null)[] =>
  answers.map(({ status, text }) => (ACCEPTED.includes(status) ? startedSchema.parse(JSON.parse(text)).runId : null));

export const summarise = (answers: readonly Answer[]): Answered => {
  const latencies = answers.map(({ latencyMs }) => latencyMs);

  return {
    asked: answers.length,
    accepted: answers.filter(({ status }) => ACCEPTED.includes(status)).length,
    p50: quantile(latencies, 0.5),
    p95: quantile(latencies, 0.95),
    p99: quantile(latencies, 0.99),
    most: quantile(latencies, 1),
  };
};
