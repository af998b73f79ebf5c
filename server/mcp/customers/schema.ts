/** Only this server's role writes here; the web process shows columns without personal data. */
import type { Pool } from "pg";
import { DEMO_CUSTOMERS } from "@/server/seed/support-desk/customers";

const TABLES = `
  create table if not exists customers.customer (
    customer_id  text primary key,
    email        text not null unique,
    name         text not null,
    plan         text not null,
    credit_cents integer not null check (credit_cents between 0 and 1000000000),
    is_admin     boolean not null default false
  );
  create table if not exists customers.applied_change (
    effect_key       text primary key,
    receipt_nonce    uuid not null unique,
    arguments_digest text not null,
    customer_id      text not null references customers.customer,
    before           jsonb not null,
    after            jsonb not null,
    reason           text not null,
    applied_at       timestamptz not null default now()
  );
  grant usage on schema customers to countersign_web;
  grant select (customer_id, plan, credit_cents, is_admin) on customers.customer to countersign_web;
  grant select (customer_id) on customers.applied_change to countersign_web;
`;

const SEED = `
  insert into customers.customer (customer_id, email, name, plan, credit_cents)
  select customer_id, email, name, plan, credit_cents
  from jsonb_to_recordset($1::jsonb) as demo(customer_id text, email text, name text, plan text, credit_cents integer)
  on conflict do nothing
`;

/** Creates and fills the tables. Idempotent. */
export const ensureTables = async (pool: Pool): Promise<void> => {
  const client = await pool.connect();
  try {
    await client.query("begin");
    // "if not exists" does not order concurrent starts.
    await client.query("select pg_advisory_xact_lock(hashtext('countersign.customers'))");
    await client.query(TABLES);
    await client.query(SEED, [JSON.stringify(DEMO_CUSTOMERS)]);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback").catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
};
