/** The customers' own table, seen with the customers server's own rights: what the attack must not reach. */
import fs from "node:fs";
import path from "node:path";
import pg from "pg";
import { e2eHome } from "./home.ts";

const customersUrl = (): string => {
  const urls = JSON.parse(fs.readFileSync(path.join(e2eHome(), "database.json"), "utf8")) as { customers: string };

  return urls.customers;
};

export const customers = async (): Promise<Record<string, unknown>[]> => {
  const client = new pg.Client({ connectionString: customersUrl() });
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>("select * from customers.customer order by customer_id");

    return rows;
  } finally {
    await client.end();
  }
};
