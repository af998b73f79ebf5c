import type { Pool, PoolClient } from "pg";
import { z } from "zod";
import { err, ok, type Result } from "@/lib/result";
import type { Clock } from "@/server/clock";
import type { Authority, WriteFault } from "./receipt";

const COLUMNS = "customer_id, email, name, plan, credit_cents, is_admin";

const customerSchema = z.strictObject({
  customer_id: z.string(),
  email: z.string(),
  name: z.string(),
  plan: z.string(),
  credit_cents: z.number().int(),
  is_admin: z.boolean(),
});
export type Customer = z.infer<typeof customerSchema>;

const appliedSchema = z.object({ receipt_nonce: z.string(), arguments_digest: z.string(), after: customerSchema });

export type PlanChange = { readonly customer_id: string; readonly plan: string; readonly credit_cents: number; readonly reason: string };

export const findCustomer = async (pool: Pool, email: string): Promise<Customer | null> => {
  const { rows } = await pool.query<Record<string, unknown>>(`select ${COLUMNS} from customers.customer where email = $1`, [email]);

  return rows[0] ? customerSchema.parse(rows[0]) : null;
};

const earlier = async (client: PoolClient, authority: Authority): Promise<Result<Customer, WriteFault> | null> => {
  const { rows } = await client.query<Record<string, unknown>>(
    "select receipt_nonce, arguments_digest, after from customers.applied_change where effect_key = $1",
    [authority.effectKey],
  );
  if (!rows[0]) return null;
  const applied = appliedSchema.parse(rows[0]);
  const same = applied.receipt_nonce === authority.receipt.nonce && applied.arguments_digest === authority.argumentsDigest;

  return same ? ok(applied.after) : err("key_reused");
};

const write = async (client: PoolClient, change: PlanChange, authority: Authority): Promise<Result<Customer, WriteFault>> => {
  const used = await client.query("select 1 from customers.applied_change where receipt_nonce = $1", [authority.receipt.nonce]);
  if (used.rowCount !== 0) return err("receipt_used");
  const found = await client.query<Record<string, unknown>>(`select ${COLUMNS} from customers.customer where customer_id = $1 for update`, [
    change.customer_id,
  ]);
  if (!found.rows[0]) return err("customer_unknown");

  const before = customerSchema.parse(found.rows[0]);
  const after = { ...before, plan: change.plan, credit_cents: before.credit_cents + change.credit_cents };
  await client.query("update customers.customer set plan = $2, credit_cents = $3 where customer_id = $1", [
    after.customer_id,
    after.plan,
    after.credit_cents,
  ]);
  await client.query(
    `insert into customers.applied_change (effect_key, receipt_nonce, arguments_digest, customer_id, before, after, reason)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [authority.effectKey, authority.receipt.nonce, authority.argumentsDigest, after.customer_id, before, after, change.reason],
  );

  return ok(after);
};

/** Applies a change once, even after its receipt expired. */
export const applyChange = async (
  pool: Pool,
  clock: Clock,
  change: PlanChange,
  authority: Authority,
): Promise<Result<Customer, WriteFault>> => {
  const client = await pool.connect();
  try {
    await client.query("begin");
    // Serialises calls with one key or receipt.
    await client.query("select pg_advisory_xact_lock(hashtext('countersign.customers.write'))");
    const before = await earlier(client, authority);
    const expired = clock.now() >= authority.receipt.expires_at;
    const outcome = before ?? (expired ? err("receipt_expired" as const) : await write(client, change, authority));
    await client.query(outcome.ok ? "commit" : "rollback");

    return outcome;
  } catch (error) {
    await client.query("rollback").catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
};
