import { getPool } from "@/server/db/client";

export const notify = async (channel: `countersign_${string}`, payload: string): Promise<void> => {
  await getPool().query("select pg_notify($1, $2)", [channel, payload]);
};

export const notifyAll = async (channel: `countersign_${string}`, payloads: readonly string[]): Promise<void> => {
  await getPool().query("select pg_notify($1, payload) from unnest($2::text[]) as payload", [channel, [...payloads]]);
};

export const notifyRuns = (runIds: readonly string[]): Promise<void> => notifyAll("countersign_run", runIds);
