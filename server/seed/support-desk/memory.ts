import type { GraphInput } from "@/lib/graph/document";
import { DEMO_PLANS } from "@/server/seed/support-desk/customers";
import { DEMO_MAILS } from "@/server/seed/support-desk/inbox";

/** 10,000.00 per change. */
const MAX_CREDIT_CENTS = 1_000_000;

const text = (maxLength: number) => ({ type: "string", maxLength });
const closed = (properties: Record<string, object>, required: readonly string[] = Object.keys(properties)) => ({
  type: "object",
  properties,
  required: [...required],
  additionalProperties: false,
});

export const mailFileSchema = { type: "string", title: "Mail", enum: Object.keys(DEMO_MAILS) };

const credit = { type: "integer", minimum: 0, maximum: MAX_CREDIT_CENTS };

const toolResult = { type: "object", additionalProperties: true };

export const SUPPORT_DESK_MEMORY = [
  { key: "mail_file", description: "Which mail of the inbox is handled", schema: mailFileSchema },
  { key: "mail", description: "The mail as the filesystem server returned it", schema: toolResult },
  {
    key: "request",
    description: "What the sender asks for, as the parser understood it",
    schema: closed({
      email: { type: "string", minLength: 3, maxLength: 254 },
      wish: { type: "string", enum: ["change_plan", "credit", "question"] },
      plan: { type: "string", enum: [...DEMO_PLANS, "none"] },
      credit_cents: credit,
      summary: text(500),
    }),
  },
  { key: "customer", description: "The customer's record", schema: toolResult, classification: "pii" },
  {
    key: "change",
    description: "The change of the customer's account that the planner proposes",
    schema: closed({
      customer_id: { type: "string", pattern: "^cus_[0-9]{1,12}$" },
      plan: { type: "string", enum: [...DEMO_PLANS] },
      credit_cents: credit,
      reason: text(500),
    }),
  },
  { key: "is_admin", description: "Whether the run acts with administrator rights", schema: { type: "boolean" }, protected: true },
  { key: "target_user_id", description: "On whose account an administrator acts", schema: text(64), protected: true },
  { key: "write_result", description: "What the customers server answered to the change", schema: toolResult },
  { key: "reply_draft", description: "The reply, for a person to send", schema: text(4_000) },
] satisfies GraphInput["memory"];
