/** What a part of the bench is, and what it is given. */
import type { BenchServer } from "./server";

/** `full` is what the figures in the documentation are measured with; `quick` shows within seconds that all of it works. */
export type Scale = "full" | "quick";

export type Bench = {
  readonly scale: Scale;
  /** Names of the peers that were asked for, in the order in which they are measured. */
  readonly peers: readonly string[];
  /** One line on stderr. */
  progress(text: string): void;
  /** Says what is done now, which of how many it is, and about how long the rest takes. @param of how many there will be */
  counted(of: number): (text: string) => void;
  /** The Postgres of this run of the bench, with full durability; started when it is first asked for. */
  server(): Promise<BenchServer>;
};

/** `Result` is printed as JSON under the section's name. Figures of one section were measured in one run, so ratios mean something. */
export type Section<Result = unknown> = {
  readonly name: string;
  /** One line for `--help`. */
  readonly says: string;
  run(bench: Bench): Promise<Result>;
  /** The result as Markdown, with ratios. */
  table(result: Result): string;
};

/** Throws for what must not be: a ledger that does not verify, a step that is not there. */
export const must = (holds: boolean, otherwise: string): void => {
  if (!holds) throw new Error(otherwise);
};
