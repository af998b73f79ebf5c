/** Whether the database answers, for whoever must know before anything else is asked of it. */
import { withClient } from "@/server/db/connect";
import { env } from "@/server/env";
import { isConnectionError } from "@/server/store/connection-errors";

/** How long an answer counts: a page needs no look of its own. */
const FRESH_MS = 250;

let last: { readonly atMs: number; readonly answers: Promise<boolean> } | null = null;

const look = async (): Promise<boolean> => {
  try {
    await withClient(env().DATABASE_URL ?? "", (client) => client.query("select 1"));

    return true;
  } catch (error) {
    // Anything else is for the page itself to find.
    return !isConnectionError(error);
  }
};

/** @param nowMs ms since any moment, never going back */
export const databaseAnswers = (nowMs: number): Promise<boolean> => {
  if (last === null || nowMs - last.atMs > FRESH_MS) last = { atMs: nowMs, answers: look() };

  return last.answers;
};
