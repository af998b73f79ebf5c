/** Failure with one sentence that says what to do. */
export class StartFailure extends Error {
  constructor(sentence: string, cause?: unknown) {
    super(sentence, { cause });
    this.name = "StartFailure";
  }
}

/** Puts an error's words on one line. */
export const wordsOf = (error: unknown): string =>
  (error instanceof Error ? error.message || ("code" in error ? String(error.code) : error.name) : String(error))
    .replaceAll(/\s+/gu, " ")
    .trim();

/** Reads a system or database error's `code`. */
export const getCode = (error: unknown): string | null =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
