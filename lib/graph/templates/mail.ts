import { closed, from, QUOTED, text, toolResult } from "@/lib/graph/templates/parts";
import type { Template } from "@/lib/graph/templates/template";

export const MAIL: Template = {
  id: "mail",
  name: "Change a customer after a mail",
  about: "An agent reads a mail and proposes a change of the customer's account, which a person approves before it is written.",
  servers: [
    { id: "filesystem", what: "A server that reads mails as files", tools: ["read_text_file"] },
    { id: "customers", what: "A customer server", tools: ["find_customer", "update_plan"] },
  ],
  agents: [{ id: "mail_reader", name: "Mail reader", system_prompt: `You state what the sender of a mail asks for. ${QUOTED}` }],
  document: {
    format: "countersign/graph/v1",
    id: "mail-to-change",
    name: "Change after a mail",
    description: "Reads a mail, finds its customer, and writes the change that the mail asks for after an approval.",
    inputs: closed({ mail_file: text("Mail", 200) }),
    memory: [
      { key: "mail_file", schema: text("Mail", 200) },
      { key: "mail", description: "The mail as the server returned it", schema: toolResult },
      {
        key: "change",
        description: "What the sender asks for",
        schema: closed({
          email: { type: "string", format: "email", minLength: 3, maxLength: 254 },
          plan: { type: "string", enum: ["starter", "team", "business"] },
          credit_cents: { type: "integer", minimum: 0, maximum: 1_000_000 },
          reason: { type: "string", maxLength: 500 },
        }),
      },
      { key: "customer", description: "The customer's record", schema: toolResult, classification: "pii" },
      { key: "result", description: "What the server said to the change", schema: toolResult },
    ],
    nodes: [
      {
        id: "read",
        kind: "tool",
        title: "Read the mail",
        read_keys: ["mail_file"],
        write_keys: ["mail"],
        effect: "read",
        config: { server: "filesystem", tool: "read_text_file", arguments: { path: from("mail_file") } },
      },
      {
        id: "understand",
        kind: "agent",
        title: "Understand the mail",
        read_keys: ["mail"],
        write_keys: ["change"],
        config: {
          agent_id: "mail_reader",
          answer: "json",
          instructions: `Answer with one JSON object: "email" (the sender's address), "plan" (starter, team or business), "credit_cents" (the credit asked for, or 0) and "reason" (one sentence).`,
        },
      },
      {
        id: "find",
        kind: "tool",
        title: "Find the customer",
        read_keys: ["change.email"],
        write_keys: ["customer"],
        effect: "read",
        failure_policy: { attempts: 1 },
        config: { server: "customers", tool: "find_customer", arguments: { email: from("change.email") } },
      },
      {
        id: "approve",
        kind: "approval",
        title: "Approve the change",
        read_keys: ["change", "customer"],
        config: {
          prompt: "Write this change to the customer's account?",
          review_keys: ["customer.customer_id", "customer.plan", "customer.credit_cents"],
          for_node: "write",
        },
      },
      {
        id: "write",
        kind: "tool",
        title: "Write the change",
        read_keys: ["change", "customer"],
        write_keys: ["result"],
        effect: "write",
        config: {
          server: "customers",
          tool: "update_plan",
          arguments: {
            customer_id: from("customer.customer_id"),
            plan: from("change.plan"),
            credit_cents: from("change.credit_cents"),
            reason: from("change.reason"),
          },
        },
      },
    ],
    edges: [
      { id: "mail_read", source: "read", target: "understand" },
      { id: "understood", source: "understand", target: "find" },
      { id: "found", source: "find", target: "approve" },
      { id: "approved", source: "approve", target: "write" },
    ],
    start_node: "read",
    end_nodes: ["write"],
    max_iterations: 12,
    max_token_budget: 60_000,
    budget_usd: 1,
  },
};
