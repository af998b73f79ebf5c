/** Recognizes errors that mean the database is unreachable, as opposed to errors about a statement. */

/** What Postgres says when it goes, comes or has no connection left, what Prisma makes of that, and what the system says of a port. */
const CODES = /^(?:08\w{3}|57P0[1-5]|53300|P1001|P1002|P1008|P1017|P2024|P2028|ECONNREFUSED|ECONNRESET|EPIPE)$/u;
/** The driver has no codes for what it finds itself. */
const SENTENCES =
  /^(?:Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Query read timeout)/u;

/** @param error itself, or with the database's as its cause */
export const isConnectionError = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? error.code : null;

  return (typeof code === "string" && CODES.test(code)) || SENTENCES.test(error.message) || isConnectionError(error.cause);
};
