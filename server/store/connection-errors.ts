/** Codes of Postgres, Prisma and sockets. */
const CODES = /^(?:08\w{3}|57P0[1-5]|53300|P1001|P1002|P1008|P1017|P2024|P2028|ECONNREFUSED|ECONNRESET|EPIPE)$/u;
const SENTENCES =
  /^(?:Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Query read timeout)/u;

/** Recognises an unreachable database, also as a cause. */
export const isConnectionError = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? error.code : null;

  return (typeof code === "string" && CODES.test(code)) || SENTENCES.test(error.message) || isConnectionError(error.cause);
};
