import { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { answerOf, CHANGES, keyIn, READS } from "@/server/mcp/bundled/serve";
import { openState } from "@/server/mcp/bundled/state";
import { charge, NEW_SHOP, orderOf, refund, refundOrder, release, reserve, SHOP_FAULTS, shopSchema, stockOf } from "./data";

const orderId = z.string().regex(/^ord_[0-9]{1,12}$/);
const orderSchema = z.strictObject({ order_id: orderId });
const lineSchema = z.strictObject({ sku: z.string().min(1).max(64), quantity: z.number().int().min(1).max(1_000) });
const reservationSchema = z.strictObject({ reservation_id: z.string().regex(/^rsv_[0-9a-f]{12}$/) });
const amountSchema = z.strictObject({ order_id: orderId, amount_cents: z.number().int().min(1).max(100_000_000) });
const refundSchema = z.strictObject({ ...amountSchema.shape, reason: z.string().min(3).max(500) });
const chargeSchema = z.strictObject({ charge_id: z.string().regex(/^chg_[0-9a-f]{12}$/) });

export const createShopServer = (folder: string): McpServer => {
  const server = new McpServer({ name: "shop", version: "1.0.0" });
  const state = openState(folder, shopSchema, NEW_SHOP);

  server.registerTool(
    "find_order",
    { title: "Find an order", description: "The order with this id.", inputSchema: orderSchema, annotations: READS },
    ({ order_id: id }) => answerOf(orderOf(id), SHOP_FAULTS),
  );
  server.registerTool(
    "check_stock",
    {
      title: "Check the stock",
      description: "Whether so many of a product are there, and what they cost together in cents.",
      inputSchema: lineSchema,
      annotations: READS,
    },
    async ({ sku, quantity }) => answerOf(stockOf(await state.read(), sku, quantity), SHOP_FAULTS),
  );
  server.registerTool(
    "reserve_stock",
    { title: "Reserve the goods", description: "Puts the goods of an order aside.", inputSchema: orderSchema, annotations: CHANGES },
    async (args, context) =>
      answerOf(
        await state.once({ tool: "reserve_stock", arguments: args, key: keyIn(context) }, (shop, id) => reserve(shop, id, args.order_id)),
        SHOP_FAULTS,
      ),
  );
  server.registerTool(
    "release_stock",
    { title: "Release the goods", description: "Ends a reservation.", inputSchema: reservationSchema, annotations: CHANGES },
    async (args, context) =>
      answerOf(
        await state.once({ tool: "release_stock", arguments: args, key: keyIn(context) }, (shop) => release(shop, args.reservation_id)),
        SHOP_FAULTS,
      ),
  );
  server.registerTool(
    "charge_card",
    {
      title: "Charge the card",
      description: "Charges the card of an order with its amount in cents.",
      inputSchema: amountSchema,
      annotations: CHANGES,
    },
    async (args, context) =>
      answerOf(
        await state.once({ tool: "charge_card", arguments: args, key: keyIn(context) }, (shop, id) =>
          charge(shop, id, args.order_id, args.amount_cents),
        ),
        SHOP_FAULTS,
      ),
  );
  server.registerTool(
    "refund",
    { title: "Refund a charge", description: "Gives the whole amount of a charge back.", inputSchema: chargeSchema, annotations: CHANGES },
    async (args, context) =>
      answerOf(
        await state.once({ tool: "refund", arguments: args, key: keyIn(context) }, (shop) => refund(shop, args.charge_id)),
        SHOP_FAULTS,
      ),
  );
  server.registerTool(
    "refund_order",
    {
      title: "Refund an order",
      description: "Pays an amount in cents back, at most what the order cost.",
      inputSchema: refundSchema,
      annotations: CHANGES,
    },
    async (args, context) =>
      answerOf(
        await state.once({ tool: "refund_order", arguments: args, key: keyIn(context) }, (shop, id) =>
          refundOrder(shop, id, args.order_id, args.amount_cents, args.reason),
        ),
        SHOP_FAULTS,
      ),
  );

  return server;
};
