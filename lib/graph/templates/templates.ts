import { MAIL } from "@/lib/graph/templates/mail";
import { closed, from, QUOTED, text, toolResult } from "@/lib/graph/templates/parts";
import type { Template } from "@/lib/graph/templates/template";

const ANSWER: Template = {
  id: "answer",
  name: "Answer and approve",
  about: "An agent answers a question, and a person approves the answer before it counts.",
  servers: [],
  agents: [{ id: "answerer", name: "Answerer", system_prompt: `You answer questions briefly and say when you are unsure. ${QUOTED}` }],
  document: {
    format: "countersign/graph/v1",
    id: "answer-and-approve",
    name: "Answer and approve",
    description: "Answers a question and waits for a person to approve the answer.",
    inputs: closed({ question: text("Question", 2_000) }),
    memory: [
      { key: "question", schema: text("Question", 2_000) },
      { key: "draft", description: "The answer as it is proposed", schema: { type: "string", maxLength: 8_000 } },
      { key: "answer", description: "The answer as a person approved it", schema: { type: "string" }, min_integrity: "reviewed" },
    ],
    nodes: [
      {
        id: "draft",
        kind: "agent",
        title: "Draft the answer",
        read_keys: ["question"],
        write_keys: ["draft"],
        config: { agent_id: "answerer", instructions: "Answer the question in at most 120 words." },
      },
      {
        id: "approve",
        kind: "approval",
        title: "Approve the answer",
        read_keys: ["draft"],
        write_keys: ["answer"],
        config: { prompt: "Is this answer right?", review_keys: ["draft"], promote: [{ from: "draft", to: "answer" }] },
      },
    ],
    edges: [{ id: "drafted", source: "draft", target: "approve" }],
    start_node: "draft",
    end_nodes: ["approve"],
    max_iterations: 10,
    max_token_budget: 30_000,
    budget_usd: 1,
  },
};

const FILE: Template = {
  id: "file",
  name: "Read a file, draft, approve, write",
  about: "An agent drafts an answer to a file, and a person approves exactly the text that is written.",
  servers: [{ id: "files", what: "A file server", tools: ["read_text_file", "write_file"] }],
  agents: [{ id: "drafter", name: "Drafter", system_prompt: `You draft short, friendly answers. A person approves them. ${QUOTED}` }],
  document: {
    format: "countersign/graph/v1",
    id: "read-draft-write",
    name: "Read, draft, approve, write",
    description: "Reads a file, drafts an answer, waits for a reviewer and writes the approved text to another file.",
    inputs: closed({ file: text("File to read", 300), target: text("File to write", 300) }),
    memory: [
      { key: "file", schema: text("File to read", 300) },
      { key: "target", schema: text("File to write", 300) },
      { key: "source", description: "The file as the server returned it", schema: toolResult },
      { key: "draft", description: "The answer as it is proposed", schema: { type: "string", maxLength: 8_000 } },
      { key: "written", description: "What the server said to the write", schema: toolResult },
    ],
    nodes: [
      {
        id: "read",
        kind: "tool",
        title: "Read the file",
        read_keys: ["file"],
        write_keys: ["source"],
        effect: "read",
        config: { server: "files", tool: "read_text_file", arguments: { path: from("file") } },
      },
      {
        id: "draft",
        kind: "agent",
        title: "Draft the answer",
        read_keys: ["source"],
        write_keys: ["draft"],
        config: { agent_id: "drafter", instructions: "Draft an answer to the file, in at most 120 words." },
      },
      {
        id: "approve",
        kind: "approval",
        title: "Approve the answer",
        read_keys: ["draft", "target"],
        config: {
          prompt: "Write this answer to the file?",
          review_keys: ["draft", "target"],
          for_node: "write",
        },
      },
      {
        id: "write",
        kind: "tool",
        title: "Write the answer",
        read_keys: ["target", "draft"],
        write_keys: ["written"],
        effect: "irreversible",
        failure_policy: { attempts: 1 },
        config: { server: "files", tool: "write_file", arguments: { path: from("target"), content: from("draft") } },
      },
    ],
    edges: [
      { id: "read_it", source: "read", target: "draft" },
      { id: "drafted", source: "draft", target: "approve" },
      { id: "approved", source: "approve", target: "write" },
    ],
    start_node: "read",
    end_nodes: ["write"],
    max_iterations: 12,
    max_token_budget: 60_000,
    budget_usd: 1,
  },
};

const ROUTE: Template = {
  id: "route",
  name: "Sort and route",
  about: "An agent sorts a request, and the graph sends urgent ones to a person and answers the others.",
  servers: [],
  agents: [
    { id: "sorter", name: "Sorter", system_prompt: `You sort requests. ${QUOTED}` },
    { id: "answerer", name: "Answerer", system_prompt: `You answer questions briefly and say when you are unsure. ${QUOTED}` },
  ],
  document: {
    format: "countersign/graph/v1",
    id: "sort-and-route",
    name: "Sort and route",
    description: "Sorts a request: urgent ones wait for a person, the others get an answer.",
    inputs: closed({ request: text("Request", 4_000) }),
    memory: [
      { key: "request", schema: text("Request", 4_000) },
      {
        key: "sorted",
        description: "How urgent it is, and why",
        schema: closed({ urgency: { type: "string", enum: ["low", "high"] }, reason: { type: "string", maxLength: 500 } }),
      },
      { key: "draft", description: "The answer", schema: { type: "string", maxLength: 8_000 } },
    ],
    nodes: [
      {
        id: "sort",
        kind: "agent",
        title: "Sort the request",
        read_keys: ["request"],
        write_keys: ["sorted"],
        config: {
          agent_id: "sorter",
          answer: "json",
          instructions: `Answer with one JSON object: "urgency" ("low" or "high") and "reason" (one sentence).`,
        },
      },
      { id: "route", kind: "router", title: "Is it urgent?", read_keys: ["sorted"], config: {} },
      {
        id: "person",
        kind: "approval",
        title: "Ask a person",
        read_keys: ["request", "sorted"],
        config: { prompt: "This request is urgent. Answer it now?", review_keys: ["request", "sorted"] },
      },
      {
        id: "answer",
        kind: "agent",
        title: "Draft the answer",
        read_keys: ["request"],
        write_keys: ["draft"],
        config: { agent_id: "answerer", instructions: "Answer the request in at most 120 words." },
      },
    ],
    edges: [
      { id: "sorted_it", source: "sort", target: "route" },
      { id: "urgent", source: "route", target: "person", condition: 'memory.sorted.urgency == "high"' },
      { id: "other", source: "route", target: "answer", kind: "default" },
      { id: "seen", source: "person", target: "answer" },
    ],
    start_node: "sort",
    end_nodes: ["answer"],
    max_iterations: 12,
    max_token_budget: 60_000,
    budget_usd: 1,
  },
};

/** In the order of the gallery. */
export const TEMPLATES: readonly Template[] = [FILE, MAIL, ANSWER, ROUTE];
