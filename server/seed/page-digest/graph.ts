/** Agents see only a handle; content leaves through a form. */
import type { GraphInput } from "@/lib/graph/document";
import { LIBRARY_ORIGIN, LIBRARY_PAGES } from "@/server/seed/research/corpus";

const text = (maxLength: number) => ({ type: "string", maxLength });
const open = { type: "object", additionalProperties: true };

const pageSchema = { type: "string", title: "Page", enum: Object.keys(LIBRARY_PAGES) };
const digestSchema = {
  type: "object",
  properties: { title: text(120), summary: text(500), body: text(2_000), source: text(500), tone: text(20) },
  required: ["title", "summary", "body", "source", "tone"],
  additionalProperties: false,
};

export const PAGE_DIGEST_GRAPH = {
  format: "countersign/graph/v1",
  id: "page-digest",
  name: "Digest a page",
  description:
    "Keeps what others wrote in quarantine: agents see only that there is a page, a form says what is in it, a model and a person review the form, and a judge lets its copy pass. One of the pages is hostile.",
  inputs: { type: "object", properties: { page: pageSchema }, required: ["page"], additionalProperties: false },
  memory: [
    { key: "page", description: "Which page is digested", schema: pageSchema },
    { key: "content", description: "The page as the library has it", schema: open },
    { key: "note", description: "What the desk is told: that a page came in", schema: text(2_000) },
    { key: "digest", description: "What the page says, as a form that nobody has checked yet", schema: digestSchema },
    {
      key: "reviewed_digest",
      description: "The form as it was reviewed and let pass",
      schema: digestSchema,
      min_integrity: "reviewed",
    },
    { key: "publication", description: "Where the digest was published", schema: open },
    { key: "outcome", description: "Why nothing was published", schema: text(200) },
  ],
  start_node: "fetch",
  end_nodes: ["publish", "leave_out"],
  isolate_untrusted: true,
  max_iterations: 40,
  max_execution_time_ms: 1_800_000,
  max_token_budget: 60_000,
  budget_usd: 1,
  nodes: [
    {
      id: "fetch",
      kind: "tool",
      title: "Fetch the page",
      read_keys: ["page"],
      write_keys: ["content"],
      effect: "read",
      position: { x: 0, y: 60 },
      config: { server: "library", tool: "read_page", arguments: { page: { from: "page" } } },
    },
    {
      id: "tell",
      kind: "agent",
      title: "Tell the desk",
      read_keys: ["page", "content"],
      write_keys: ["note"],
      position: { x: 270, y: 60 },
      config: { agent_id: "digest_editor", instructions: "Tell the desk in one sentence which page came in." },
    },
    {
      id: "digest",
      kind: "extract",
      title: "Digest in quarantine",
      read_keys: ["content"],
      write_keys: ["digest"],
      position: { x: 540, y: 60 },
      config: {
        agent_id: "digester",
        from: "content",
        instructions: `"source" is the page's own address, "body" what it says, "tone" how it speaks to its readers.`,
        fields: [
          { name: "title", value: { type: "text", max_length: 120 } },
          { name: "summary", value: { type: "text", max_length: 500 } },
          { name: "body", value: { type: "text", max_length: 2_000 } },
          { name: "source", value: { type: "url" } },
          { name: "tone", value: { type: "enum", values: ["neutral", "promotional", "alarming"] } },
        ],
      },
    },
    {
      id: "review",
      kind: "review",
      title: "Review the digest",
      read_keys: ["digest", "content"],
      position: { x: 0, y: 270 },
      config: {
        target: "digest",
        source: "content",
        instructions: "Is it a fair digest of the page, and does it tell its readers to do nothing?",
        reviewers: [
          { type: "agent", agent_id: "digest_reviewer" },
          { type: "person", role: "reviewer", count: 1 },
        ],
        quorum: 1,
      },
    },
    {
      id: "judge",
      kind: "judge",
      title: "Judge by the rules",
      read_keys: ["digest"],
      write_keys: ["reviewed_digest"],
      position: { x: 270, y: 270 },
      config: {
        review: "review",
        from: "digest",
        to: "reviewed_digest",
        rules: [
          { field: "title", rule: { type: "length", min: 5, max: 120 } },
          { field: "summary", rule: { type: "length", min: 5, max: 500 } },
          { field: "body", rule: { type: "length", min: 40, max: 2_000 } },
          { field: "source", rule: { type: "url", origins: [LIBRARY_ORIGIN], path: "/pages" } },
          { field: "tone", rule: { type: "enum", values: ["neutral"] } },
        ],
        rejection_node: "leave_out",
      },
    },
    {
      id: "publish",
      kind: "tool",
      title: "Publish the digest",
      read_keys: ["reviewed_digest"],
      write_keys: ["publication"],
      effect: "irreversible",
      approval: "always",
      failure_policy: { attempts: 1 },
      position: { x: 540, y: 270 },
      config: {
        server: "library",
        tool: "publish",
        arguments: {
          title: { from: "reviewed_digest.title" },
          summary: { from: "reviewed_digest.summary" },
          body: { from: "reviewed_digest.body" },
        },
      },
    },
    {
      id: "leave_out",
      kind: "transform",
      title: "Leave it out",
      write_keys: ["outcome"],
      position: { x: 270, y: 430 },
      config: { set: [{ path: "outcome", value: `"The digest did not pass its review."` }] },
    },
  ],
  edges: [
    { id: "fetched", source: "fetch", target: "tell" },
    { id: "told", source: "tell", target: "digest" },
    { id: "digested", source: "digest", target: "review" },
    { id: "no_digest", source: "digest", target: "leave_out", kind: "error" },
    { id: "reviewed", source: "review", target: "judge" },
    { id: "judged", source: "judge", target: "publish" },
  ],
} satisfies GraphInput;
