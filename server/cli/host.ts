import type { Readable, Writable } from "node:stream";

/** Environment of a command, given by its process. */
export type CliHost = {
  readonly home: string;
  readonly root: string;
  readonly cwd: string;
  /** Variables that any program needs (PATH, HOME, …); no secrets of ours. */
  readonly ordinaryEnvironment: Readonly<Record<string, string>>;
  /** Also npm's registry and proxies. */
  readonly npmEnvironment: Readonly<Record<string, string>>;
  /** Reads a variable that the caller named. */
  secret(name: string): string | undefined;
  /** For commands that speak a protocol over stdio. */
  readonly input: Readable;
  readonly output: Writable;
  out(text: string): Promise<void>;
  err(text: string): Promise<void>;
  /** Undoes at the end, last first. */
  defer(undo: () => Promise<void>): void;
  /** Opens the installation's database. @returns false when there is none */
  openInstalledDatabase(): boolean;
  verifierHtml(): Promise<string>;
  /** Opens an empty database that is dropped at the end. */
  openThrowAwayDatabase(): Promise<void>;
};

/** A sub-command. @returns its exit code */
export type CliCommand = (argv: readonly string[], host: CliHost) => Promise<number>;

/** Failure told in one sentence; exit code 1. */
export class CliFailure extends Error {
  constructor(sentence: string, cause?: unknown) {
    super(sentence, { cause });
    this.name = "CliFailure";
  }
}
