/** Failed start, told in one sentence that says what to do. */
export class StartFailure extends Error {
  constructor(sentence: string, cause?: unknown) {
    super(sentence, { cause });
    this.name = "StartFailure";
  }
}

/** Puts an unknown error's words on one line. */
export const wordsOf = (error: unknown): string =>
  (error instanceof Error ? error.message || ("code" in error ? String(error.code) : error.name) : String(error))
    .replaceAll(/\s+/gu, " ")
    .trim();

/** Returns the `code` of a system or database error. */
export const getCode = (error: unknown): string | null =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
