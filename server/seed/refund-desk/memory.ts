import type { GraphInput } from "@/lib/graph/document";
import { orderIdSchema } from "@/server/seed/order-desk/memory";

/** Up to 50.00, the reason needs no review. */
export const SMALL_CENTS = 5_000;

const toolResult = { type: "object", additionalProperties: true };
const closed = (properties: Record<string, object>, required: readonly string[] = Object.keys(properties)) => ({
  type: "object",
  properties,
  required: [...required],
  additionalProperties: false,
});

export const REFUND_DESK_MEMORY = [
  { key: "order_id", description: "Which order it is about", schema: orderIdSchema },
  { key: "order", description: "The order as the shop has it", schema: toolResult, classification: "pii" },
  {
    key: "proposal",
    description: "The refund as the agent proposes it",
    schema: closed({
      amount_cents: { type: "integer", minimum: 1, maximum: 100_000_000 },
      reason: { type: "string", minLength: 3, maxLength: 500 },
    }),
  },
  {
    key: "assessment",
    description: "What decides the way: whether the order covers the amount, and whether the amount is small",
    schema: closed({ covered: { type: "boolean" }, small: { type: "boolean" } }),
  },
  {
    key: "risk",
    description: "What the house thinks of the customer",
    schema: closed({ new_customer: { type: "boolean" }, share: { type: "number", minimum: 0, maximum: 1_000_000 } }),
    classification: "secret",
  },
  { key: "refund", description: "What the shop answered to the refund", schema: toolResult },
  { key: "reply_draft", description: "The message to the customer, for a person to send", schema: { type: "string", maxLength: 4_000 } },
  { key: "outcome", description: "How it ended", schema: { type: "string", enum: ["refunded", "not_refunded"] } },
] satisfies GraphInput["memory"];
