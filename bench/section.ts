import type { BenchServer } from "./server";

/** `full`: for the documentation; `quick`: a check within seconds. */
export type Scale = "full" | "quick";

export type Bench = {
  readonly scale: Scale;
  /** In order of measurement. */
  readonly peers: readonly string[];
  progress(text: string): void;
  /** Reports progress with the remaining time. */
  counted(of: number): (text: string) => void;
  /** Postgres of this bench run, started on first use. */
  server(): Promise<BenchServer>;
};

/** `Result`: printed as JSON. A section's figures are from one run, so that ratios are meaningful. */
export type Section<Result = unknown> = {
  readonly name: string;
  /** For `--help`. */
  readonly says: string;
  run(bench: Bench): Promise<Result>;
  /** Markdown, with ratios. */
  table(result: Result): string;
};

/** @throws Error unless it holds: an invalid ledger or a missing step invalidates figures */
export const must = (holds: boolean, otherwise: string): void => {
  if (!holds) throw new Error(otherwise);
};
