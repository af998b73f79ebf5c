import type { Readable, Writable } from "node:stream";

export type CliHost = {
  readonly home: string;
  readonly root: string;
  readonly cwd: string;
  /** Required by any program (PATH, HOME, …), without secrets. */
  readonly ordinaryEnvironment: Readonly<Record<string, string>>;
  /** With the installers' indexes and proxies. */
  readonly installerEnvironment: Readonly<Record<string, string>>;
  secret(name: string): string | undefined;
  /** For protocols over stdio. */
  readonly input: Readable;
  readonly output: Writable;
  out(text: string): Promise<void>;
  err(text: string): Promise<void>;
  /** Undoes at the end, last first. */
  defer(undo: () => Promise<void>): void;
  /** Returns false when there is none. */
  openInstalledDatabase(): boolean;
  findDatabaseUrl(role: "web"): string | null;
  verifierHtml(): Promise<string>;
  openThrowAwayDatabase(): Promise<void>;
};

export type CliCommand = (argv: readonly string[], host: CliHost) => Promise<number>;

export class CliFailure extends Error {
  constructor(sentence: string, cause?: unknown) {
    super(sentence, { cause });
    this.name = "CliFailure";
  }
}
