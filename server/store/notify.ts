import { getPool } from "@/server/db/client";

/** Wakes a channel's listeners. */
export const notify = async (channel: `countersign_${string}`, payload: string): Promise<void> => {
  await getPool().query("select pg_notify($1, $2)", [channel, payload]);
};

/** Wakes listeners on `countersign_run`. */
export const notifyRuns = async (runIds: readonly string[]): Promise<void> => {
  await getPool().query("select pg_notify('countersign_run', id) from unnest($1::text[]) as id", [[...runIds]]);
};
