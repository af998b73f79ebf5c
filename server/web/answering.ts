import { ERRORS } from "@/lib/errors";
import { isConnectionError } from "@/server/store/connection-errors";

const { http: STATUS, message: SENTENCE } = ERRORS.database_unreachable;
const HEADERS = { "Cache-Control": "no-store", "Retry-After": "5" };

/** Answers 503 without a database. */
export const handleRequests =
  <A extends unknown[]>(handle: (...args: A) => Promise<Response>) =>
  async (...args: A): Promise<Response> => {
    try {
      return await handle(...args);
    } catch (error) {
      if (!isConnectionError(error)) throw error;

      return Response.json({ error: { code: "database_unreachable", message: SENTENCE } }, { status: STATUS, headers: HEADERS });
    }
  };

/** Renders a self-reloading page without scripts or styles. */
export const renderAwayPage = (): Response =>
  new Response(
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="5"><title>Countersign is not available</title>` +
      `<main><h1>Countersign is not available</h1><p>The database is not responding. This page reloads every five seconds.</p></main></html>`,
    {
      status: STATUS,
      headers: { ...HEADERS, "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": "default-src 'none'" },
    },
  );
