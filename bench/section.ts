/** Bench section and its context. */
import type { BenchServer } from "./server";

/** `full`: for the documentation's figures; `quick`: a check within seconds. */
export type Scale = "full" | "quick";

export type Bench = {
  readonly scale: Scale;
  /** Requested peers in order of measurement. */
  readonly peers: readonly string[];
  progress(text: string): void;
  /** Reports progress with an estimate of the remaining time. @param of total number */
  counted(of: number): (text: string) => void;
  /** Postgres of this bench run, fully durable; started on first use. */
  server(): Promise<BenchServer>;
};

/** `Result`: printed as JSON under the section's name. Figures of a section are from one run, so that ratios are meaningful. */
export type Section<Result = unknown> = {
  readonly name: string;
  /** One line for `--help`. */
  readonly says: string;
  run(bench: Bench): Promise<Result>;
  /** Result as Markdown, with ratios. */
  table(result: Result): string;
};

/** Throws unless the condition holds: an invalid ledger or a missing step invalidates figures. */
export const must = (holds: boolean, otherwise: string): void => {
  if (!holds) throw new Error(otherwise);
};
