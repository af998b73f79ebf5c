import type { Problem } from "@/lib/graph/problems/problem";

export type CliProblem = {
  readonly code: string;
  readonly severity: "error" | "warning";
  readonly ids: readonly string[];
  readonly message: string;
};

export const toCliProblem = ({ code, severity, node, edge, key, message }: Problem): CliProblem => ({
  code,
  severity,
  ids: [node, edge, key].filter((id) => id !== undefined),
  message,
});

export const createErrorProblem = (code: string, message: string, ids: readonly string[] = []): CliProblem => ({
  code,
  severity: "error",
  ids,
  message,
});

export const formatJsonLine = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
