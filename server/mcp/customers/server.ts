/** Demo customers; writes need an exact receipt. */
import { McpServer, type CallToolResult } from "@modelcontextprotocol/server";
import type { Pool } from "pg";
import { z } from "zod";
import type { TrustAnchor } from "@/lib/engine/ledger/trust-anchor";
import type { JsonObject } from "@/lib/json";
import type { Clock } from "@/server/clock";
import { DEMO_PLANS } from "@/server/seed/support-desk/customers";
import { applyChange, findCustomer } from "./changes";
import { readAuthority, WRITE_FAULTS, type WriteFault } from "./receipt";

/** Its id in receipts. */
const CUSTOMERS_ID = "customers";

export type CustomersOptions = { readonly pool: Pool; readonly anchor: () => Promise<TrustAnchor | null>; readonly clock: Clock };

const emailSchema = z.strictObject({ email: z.string().min(3).max(254) });

const changeSchema = z
  .strictObject({
    customer_id: z
      .string()
      .regex(/^cus_[0-9]{1,12}$/)
      .meta({ "x-entity": "customer" }),
    plan: z.enum(DEMO_PLANS),
    credit_cents: z.number().int().min(0).max(1_000_000).meta({ format: "money-cents", "x-currency": "USD" }),
    reason: z.string().max(500).optional(),
  })
  .meta({ "x-effect": "Move {customer_id} to {plan}[ with a {credit_cents} credit]" });

const answer = (value: Record<string, unknown>, isError = false): CallToolResult => ({
  content: [{ type: "text", text: JSON.stringify(value) }],
  structuredContent: value,
  isError,
});

const refused = (code: WriteFault): CallToolResult => answer({ error: { code, message: WRITE_FAULTS[code] } }, true);

/** Without defaults: the digest covers these. */
const asSent = ({ reason, ...change }: z.infer<typeof changeSchema>): JsonObject => (reason === undefined ? change : { ...change, reason });

export const createCustomersServer = ({ pool, anchor, clock }: CustomersOptions): McpServer => {
  const server = new McpServer({ name: CUSTOMERS_ID, version: "1.0.0" });

  server.registerTool(
    "find_customer",
    {
      title: "Find a customer",
      description: "The record of the customer with this e-mail address.",
      inputSchema: emailSchema,
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    },
    async ({ email }) => {
      const customer = await findCustomer(pool, email);

      return customer ? answer(customer) : refused("customer_unknown");
    },
  );

  server.registerTool(
    "update_plan",
    {
      title: "Change a customer's plan",
      description: "Sets the plan and adds credit in cents. Needs a signed receipt for exactly these arguments.",
      inputSchema: changeSchema,
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    },
    async (change, context) => {
      // oxlint-disable-next-line eslint/no-underscore-dangle -- the protocol's own name
      const meta = context.mcpReq._meta ?? {};
      const authority = await readAuthority(await anchor(), CUSTOMERS_ID, "update_plan", asSent(change), meta);
      if (!authority.ok) return refused(authority.error);
      const changed = await applyChange(pool, clock, { ...change, reason: change.reason ?? "" }, authority.value);

      return changed.ok ? answer({ status: "updated", customer: changed.value }) : refused(changed.error);
    },
  );

  return server;
};
