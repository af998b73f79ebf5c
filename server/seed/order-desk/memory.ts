import type { GraphInput } from "@/lib/graph/document";
import { DEMO_ORDERS, MAX_LINES } from "@/server/seed/order-desk/shop";

const toolResult = { type: "object", additionalProperties: true };
const closed = (properties: Record<string, object>) => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

export const orderIdSchema = {
  type: "string",
  title: "Order",
  oneOf: DEMO_ORDERS.map(({ order_id: id, about }) => ({ const: id, title: `${id}: ${about}` })),
};

export const FRAUD_VOTES = ["accept", "reject"];

export const ORDER_DESK_MEMORY = [
  { key: "order_id", description: "Which order is handled", schema: orderIdSchema },
  { key: "order", description: "The order as the shop has it", schema: toolResult, classification: "pii" },
  {
    key: "stock",
    description: "For each line of the order: how many are there, and what the line costs",
    schema: { type: "array", items: toolResult, maxItems: MAX_LINES },
  },
  {
    key: "totals",
    description: "What the lines come to",
    schema: closed({
      lines: { type: "integer", minimum: 0, maximum: MAX_LINES },
      short: { type: "array", items: { type: "string", maxLength: 64 }, maxItems: MAX_LINES },
      amount_cents: { type: "integer", minimum: 0, maximum: 100_000_000 },
      as_ordered: { type: "boolean" },
    }),
  },
  { key: "fraud", description: "What the voters decided", schema: { type: "string", enum: FRAUD_VOTES } },
  {
    key: "votes",
    description: "Who voted how",
    schema: {
      type: "array",
      items: closed({ voter: { type: "string", maxLength: 64 }, vote: { type: "string", enum: FRAUD_VOTES } }),
      maxItems: 3,
    },
  },
  { key: "reservation", description: "What the shop put aside", schema: toolResult },
  { key: "charge", description: "What was charged", schema: toolResult },
  { key: "reply_draft", description: "The message to the customer, for a person to send", schema: { type: "string", maxLength: 4_000 } },
] satisfies GraphInput["memory"];
