/** With the customers server's rights. */
import fs from "node:fs";
import path from "node:path";
import pg from "pg";
import type { OutageCause } from "../lib/engine/outage-causes.ts";
import { e2eHome } from "./home.ts";

const urlOf = (role: "admin" | "customers"): string => {
  const urls = JSON.parse(fs.readFileSync(path.join(e2eHome(), "database.json"), "utf8")) as Record<typeof role, string>;

  return urls[role];
};

export const customers = async (): Promise<Record<string, unknown>[]> => {
  const client = new pg.Client({ connectionString: urlOf("customers") });
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>("select * from customers.customer order by customer_id");

    return rows;
  } finally {
    await client.end();
  }
};

/** From the customers' own log. */
export const appliedChanges = async (reason: string): Promise<number> => {
  const client = new pg.Client({ connectionString: urlOf("customers") });
  await client.connect();
  try {
    const { rowCount } = await client.query("select 1 from customers.applied_change where reason = $1", [reason]);

    return rowCount ?? 0;
  } finally {
    await client.end();
  }
};

/** By ten minutes. */
export const ageProofs = async (email: string): Promise<void> => {
  const client = new pg.Client({ connectionString: urlOf("admin") });
  await client.connect();
  try {
    await client.query(
      "update session set proved_at = now() - interval '10 minutes' where user_id = (select id from app_user where email = $1)",
      [email],
    );
  } finally {
    await client.end();
  }
};

/** Of the demo's workspace, for an hour. @param cause null: it answers again */
export const changeCircuit = async (provider: string, cause: OutageCause | null): Promise<void> => {
  const client = new pg.Client({ connectionString: urlOf("admin") });
  await client.connect();
  try {
    await client.query("delete from provider_circuit where provider = $1", [provider]);
    if (cause === null) return;
    await client.query(
      `insert into provider_circuit (workspace_id, provider, cause, failures, until)
      select id, $1, $2, 3, now() + interval '1 hour' from workspace where demo`,
      [provider, cause],
    );
  } finally {
    await client.end();
  }
};
