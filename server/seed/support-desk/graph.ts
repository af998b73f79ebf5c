import type { GraphInput } from "@/lib/graph/document";
import { mailFileSchema, SUPPORT_DESK_MEMORY } from "@/server/seed/support-desk/memory";

const PARSE_INSTRUCTIONS = `Answer with one JSON object:
{"email": the sender's address from the From line,
 "wish": "change_plan", "credit" or "question",
 "plan": the plan asked for ("starter", "team", "business") or "none",
 "credit_cents": the credit asked for, in cents, or 0,
 "summary": one sentence}`;

const PLAN_INSTRUCTIONS = `Check the customer's current record with customers__find_customer, then answer with one JSON object:
{"customer_id": of the customer in memory,
 "plan": the new plan, or the present one if it does not change,
 "credit_cents": the credit to add in cents, or 0,
 "reason": one sentence}`;

export const SUPPORT_DESK_GRAPH = {
  format: "countersign/graph/v1",
  id: "support-desk",
  name: "Support desk under attack",
  description:
    "Reads one mail of the inbox, finds out what the sender wants, plans a change of the account, waits for a reviewer, writes it and drafts a reply. One of the mails is hostile.",
  inputs: { type: "object", properties: { mail_file: mailFileSchema }, required: ["mail_file"], additionalProperties: false },
  memory: SUPPORT_DESK_MEMORY,
  start_node: "read_mail",
  end_nodes: ["reply", "reply_declined"],
  max_iterations: 300,
  max_execution_time_ms: 900_000,
  max_token_budget: 400_000,
  budget_usd: 2,
  nodes: [
    {
      id: "read_mail",
      kind: "tool",
      title: "Read the mail",
      read_keys: ["mail_file"],
      write_keys: ["mail"],
      effect: "read",
      position: { x: 0, y: 60 },
      // The server resolves relative paths within its only folder.
      config: { server: "filesystem", tool: "read_text_file", arguments: { path: { from: "mail_file" } } },
    },
    {
      id: "parse",
      kind: "agent",
      title: "Understand the request",
      read_keys: ["mail"],
      write_keys: ["request"],
      position: { x: 270, y: 60 },
      config: { agent_id: "parser", instructions: PARSE_INSTRUCTIONS, answer: "json" },
    },
    {
      id: "lookup",
      kind: "tool",
      title: "Find the customer",
      read_keys: ["request.email"],
      write_keys: ["customer"],
      effect: "read",
      // An unknown address is an answer; a retry would not change it.
      failure_policy: { attempts: 1 },
      position: { x: 540, y: 60 },
      config: { server: "customers", tool: "find_customer", arguments: { email: { from: "request.email" } } },
    },
    {
      id: "plan",
      kind: "agent",
      title: "Plan the change",
      read_keys: ["request", "customer"],
      write_keys: ["change"],
      effect: "read",
      position: { x: 810, y: 60 },
      config: { agent_id: "planner", instructions: PLAN_INSTRUCTIONS, answer: "json" },
    },
    {
      id: "triage",
      kind: "router",
      title: "Does anything change?",
      read_keys: ["change", "customer.plan"],
      position: { x: 0, y: 270 },
      config: {},
    },
    {
      id: "approve_change",
      kind: "approval",
      title: "Approve the change",
      read_keys: ["change", "customer", "request"],
      position: { x: 270, y: 430 },
      config: {
        prompt:
          "Shall this change be written to the customer's account? Compare it with what the sender asked for and with the customer's record.",
        review_keys: ["customer.customer_id", "customer.email", "customer.plan", "customer.credit_cents", "request"],
        for_node: "write_change",
        role: "reviewer",
        rejection_node: "reply_declined",
      },
    },
    {
      id: "write_change",
      kind: "tool",
      title: "Write the change",
      read_keys: ["change"],
      write_keys: ["write_result"],
      effect: "write",
      position: { x: 540, y: 430 },
      config: {
        server: "customers",
        tool: "update_plan",
        arguments: {
          customer_id: { from: "change.customer_id" },
          plan: { from: "change.plan" },
          credit_cents: { from: "change.credit_cents" },
          reason: { from: "change.reason" },
        },
      },
    },
    {
      id: "reply",
      kind: "agent",
      title: "Draft the reply",
      read_keys: ["request", "write_result"],
      write_keys: ["reply_draft"],
      position: { x: 810, y: 270 },
      config: {
        agent_id: "writer",
        instructions: "Draft the reply to the sender: say what was changed, or answer the question. At most 120 words.",
      },
    },
    {
      id: "reply_declined",
      kind: "agent",
      title: "Draft a refusal",
      read_keys: ["request"],
      write_keys: ["reply_draft"],
      position: { x: 540, y: 550 },
      config: {
        agent_id: "writer",
        instructions: "The change was declined. Draft a polite reply that says so and offers to talk. At most 120 words.",
      },
    },
  ],
  edges: [
    { id: "mail_read", source: "read_mail", target: "parse" },
    { id: "parsed", source: "parse", target: "lookup" },
    { id: "found", source: "lookup", target: "plan" },
    { id: "not_found", source: "lookup", target: "reply", kind: "error" },
    { id: "planned", source: "plan", target: "triage" },
    {
      id: "nothing_changes",
      source: "triage",
      target: "reply",
      condition: "memory.change.credit_cents == 0 && memory.change.plan == memory.customer.plan",
    },
    { id: "something_changes", source: "triage", target: "approve_change", kind: "default" },
    { id: "approved", source: "approve_change", target: "write_change" },
    { id: "written", source: "write_change", target: "reply" },
  ],
} satisfies GraphInput;
