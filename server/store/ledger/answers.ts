import { withClient } from "@/server/db/connect";
import { readEnv } from "@/server/env";
import { isConnectionError } from "@/server/store/connection-errors";

const FRESH_MS = 250;

let last: { readonly atMs: number; readonly answers: Promise<boolean> } | null = null;

const look = async (): Promise<boolean> => {
  try {
    await withClient(readEnv().DATABASE_URL ?? "", (client) => client.query("select 1"));

    return true;
  } catch (error) {
    // Other errors are for the page to find.
    return !isConnectionError(error);
  }
};

/** Probes the database. @param nowMs monotonic */
export const isDatabaseAnswering = (nowMs: number): Promise<boolean> => {
  if (last === null || nowMs - last.atMs > FRESH_MS) last = { atMs: nowMs, answers: look() };

  return last.answers;
};
