import type pg from "pg";
import { runTransaction } from "@/server/db/client";
import { notify } from "@/server/store/notify";

export const announceJobs = (): Promise<void> => notify("countersign_job", "");

const TURN_MS = 5_000;

/** Runs one runner's work at a time. */
export const oneAtATime = <T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> =>
  runTransaction(async (client) => {
    // A paused holder would block the fleet.
    await client.query(`set local idle_in_transaction_session_timeout = ${TURN_MS}`);
    await client.query("select pg_advisory_xact_lock(hashtext('countersign.dispatch'))");

    return work(client);
  });
