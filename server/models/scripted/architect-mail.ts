import type { GraphInput } from "@/lib/graph/document";
import { from, headOf } from "./architect-graphs";

/** Reads a mail, drafts a reply, asks a person and writes the reply to a file. */
export const answerMail = (words: string): GraphInput => ({
  ...headOf(words),
  inputs: {
    type: "object",
    properties: {
      mail_file: { type: "string", title: "Mail", default: "01-upgrade.txt", maxLength: 200 },
      reply_file: { type: "string", title: "File for the reply", default: "reply.txt", maxLength: 200 },
    },
    required: ["mail_file", "reply_file"],
    additionalProperties: false,
  },
  memory: [
    { key: "mail_file", description: "The mail to answer", schema: { type: "string" } },
    { key: "reply_file", description: "Where the reply is written", schema: { type: "string" } },
    { key: "mail", description: "The mail as the server returned it", schema: {} },
    { key: "request", description: "What the sender asks for", schema: {} },
    { key: "reply_draft", description: "The reply as it is proposed", schema: { type: "string", maxLength: 4_000 } },
    { key: "reply", description: "The reply as a person approved it", schema: { type: "string" }, min_integrity: "reviewed" },
    { key: "written", description: "What the server said to the write", schema: {} },
  ],
  nodes: [
    {
      id: "read_mail",
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
      title: "Understand the request",
      read_keys: ["mail"],
      write_keys: ["request"],
      config: { agent_id: "parser", answer: "json", instructions: "State in one JSON object what the sender asks for." },
    },
    {
      id: "draft",
      kind: "agent",
      title: "Draft the reply",
      read_keys: ["request"],
      write_keys: ["reply_draft"],
      config: { agent_id: "writer", instructions: "Draft the reply to the sender. At most 120 words." },
    },
    {
      id: "approve",
      kind: "approval",
      title: "Approve the reply",
      read_keys: ["reply_draft", "reply_file"],
      write_keys: ["reply"],
      config: {
        prompt: "Write this reply?",
        review_keys: ["reply_draft", "reply_file"],
        for_node: "write",
        promote: [{ from: "reply_draft", to: "reply" }],
      },
    },
    {
      id: "write",
      kind: "tool",
      title: "Write the reply",
      read_keys: ["reply", "reply_file"],
      write_keys: ["written"],
      effect: "irreversible",
      failure_policy: { attempts: 1 },
      config: { server: "filesystem", tool: "write_file", arguments: { path: from("reply_file"), content: from("reply") } },
    },
  ],
  edges: [
    { id: "read", source: "read_mail", target: "understand" },
    { id: "understood", source: "understand", target: "draft" },
    { id: "drafted", source: "draft", target: "approve" },
    { id: "approved", source: "approve", target: "write" },
  ],
  start_node: "read_mail",
  end_nodes: ["write"],
  strict_taint: true,
  max_iterations: 20,
  max_token_budget: 60_000,
});
