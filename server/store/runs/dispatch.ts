/** What runners tell each other about jobs, and how they take them one after the other. */
import type pg from "pg";
import { pool, transaction } from "@/server/db/client";

/** There are jobs that only whoever made them knows of. */
export const announceJobs = async (): Promise<void> => {
  await pool().query("select pg_notify('countersign_job', '')");
};

const TURN_MS = 5_000;

/** One runner at a time, over the whole fleet: what it reads cannot change before it has written. */
export const oneAtATime = <T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> =>
  transaction(async (client) => {
    // Whoever is stopped in here would stop the fleet: the server ends their turn.
    await client.query(`set local idle_in_transaction_session_timeout = ${TURN_MS}`);
    await client.query("select pg_advisory_xact_lock(hashtext('countersign.dispatch'))");

    return work(client);
  });
