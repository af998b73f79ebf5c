import type { BenchServer } from "./server";

/** `full`: for the documentation; `quick`: a check. */
export type Scale = "full" | "quick";

export type Bench = {
  readonly scale: Scale;
  /** In order of measurement. */
  readonly peers: readonly string[];
  progress(text: string): void;
  /** Includes the remaining time. */
  counted(of: number): (text: string) => void;
  /** Started on first use. */
  server(): Promise<BenchServer>;
};

/** Figures of one run, so that ratios are meaningful. */
export type Section<Result = unknown> = {
  readonly name: string;
  /** For `--help`. */
  readonly says: string;
  run(bench: Bench): Promise<Result>;
  table(result: Result): string;
};

/** @throws Error: an invalid ledger or a missing step invalidates figures */
export const must = (holds: boolean, otherwise: string): void => {
  if (!holds) throw new Error(otherwise);
};
