/** The demo's customer table, which belongs to another role. */
import { z } from "zod";
import { getPool } from "@/server/db/client";
import { queryRow, queryRows, type SqlClient } from "@/server/store/sql/rows";

const customerRow = z.object({
  id: z.string(),
  plan: z.string(),
  creditCents: z.number(),
  isAdmin: z.boolean(),
  /** Changes that its server has written. */
  changes: z.number(),
});
export type DemoCustomerRow = Readonly<z.infer<typeof customerRow>>;

const readableRow = z.object({ readable: z.boolean().nullable() });

const READABLE = `select case when has_schema_privilege('customers', 'usage')
  then to_regclass('customers.applied_change') is not null else false end as readable`;

/** Without names and addresses. Empty before the server's first start. */
export const listDemoCustomers = async (client: SqlClient = getPool()): Promise<readonly DemoCustomerRow[]> => {
  const found = await queryRow(client, readableRow, { text: READABLE });
  if (found?.readable !== true) return [];

  return queryRows(client, customerRow, {
    text: `select c.customer_id as id, c.plan, c.credit_cents as "creditCents", c.is_admin as "isAdmin",
        (select count(*)::int from customers.applied_change a where a.customer_id = c.customer_id) as changes
      from customers.customer c order by c.customer_id limit 100`,
  });
};
