/** From a question to a reviewed article. */
import type { GraphInput } from "@/lib/graph/document";
import { ARTICLE_FIELDS, ARTICLE_RULES } from "@/server/seed/research/form";
import { MAX_SOURCES, questionSchema, RESEARCH_MEMORY } from "@/server/seed/research/memory";

const PLAN = `Search the library with library__search, then answer with one JSON object:
{"steps": [{"question": a part of the question, "page": the page that may answer it}, ...], at most ${MAX_SOURCES},
 "known": how many facts of earlier runs you were shown}
If the library has nothing about the question, hand the run to "explain".`;

const NOTE = `Answer with one JSON object about the page in item:
{"source": its title, "address": where it is, "usable": whether it is a source at all, "points": its statements about the question, word for word}`;

const WRITE = `Answer with one JSON object:
{"title": ..., "summary": one sentence, "body": the article, which ends with a line "Sources: ..."}`;

const FILL = `Take title, summary and body word for word from the article. "tone" is how it speaks to its readers;
"source_1" and "source_2" are the first two addresses among its sources.`;

const FITNESS = "size(item) > 90 ? 0.2 : (size(item) > 60 ? 0.6 : 0.95)";

const from = (path: string) => ({ from: path });

export const RESEARCH_GRAPH = {
  format: "countersign/graph/v1",
  id: "research-and-publish",
  name: "Research and publish",
  description:
    "Plans sub-questions, reads pages of a library (one of them is hostile), makes notes, writes an article under an editor, has its facts checked, finds a headline, and publishes what reviewers have read and a judge let pass.",
  inputs: { type: "object", properties: { question: questionSchema }, required: ["question"], additionalProperties: false },
  memory: RESEARCH_MEMORY,
  start_node: "plan",
  end_nodes: ["remember", "explain"],
  max_iterations: 100,
  max_execution_time_ms: 1_800_000,
  max_token_budget: 60_000,
  budget_usd: 3,
  nodes: [
    {
      id: "plan",
      kind: "agent",
      title: "Plan the research",
      read_keys: ["question"],
      write_keys: ["plan"],
      effect: "read",
      position: { x: 0, y: 112 },
      config: {
        agent_id: "researcher",
        instructions: PLAN,
        answer: "json",
        recall: { topics: ["research"], limit: 10 },
        swarm: { peers: ["explain"], max_handoffs: 1 },
      },
    },
    {
      id: "fetch",
      kind: "map",
      title: "Fetch the sources",
      read_keys: ["plan.steps"],
      write_keys: ["pages"],
      effect: "read",
      position: { x: 270, y: 112 },
      config: { worker_node: "read_source", items: { from: "plan.steps" }, max_items: MAX_SOURCES },
    },
    {
      id: "read_source",
      kind: "tool",
      title: "Read a page",
      effect: "read",
      failure_policy: { attempts: 1 },
      position: { x: 270, y: 0 },
      config: { server: "library", tool: "read_page", arguments: { page: { item: "page" } } },
    },
    {
      id: "take_notes",
      kind: "map",
      title: "Make notes",
      read_keys: ["pages"],
      write_keys: ["notes"],
      position: { x: 540, y: 112 },
      // Sequential, so that runs leave equal records.
      config: { worker_node: "note", items: { from: "pages" }, max_items: MAX_SOURCES, max_concurrency: 1 },
    },
    {
      id: "note",
      kind: "agent",
      title: "Note what a page says",
      read_keys: ["question"],
      position: { x: 540, y: 0 },
      config: { agent_id: "note_taker", instructions: NOTE, answer: "json" },
    },
    {
      id: "merge",
      kind: "synthesizer",
      title: "Make a dossier",
      read_keys: ["notes"],
      write_keys: ["dossier"],
      position: { x: 810, y: 112 },
      config: { agent_id: "merger", instructions: "Use the notes that are usable, each point with its source." },
    },
    {
      id: "edit",
      kind: "supervisor",
      title: "Edit the article",
      read_keys: ["draft.title", "fact_report", "headline"],
      failure_policy: { attempts: 2, backoff: "fixed", backoff_ms: 100 },
      position: { x: 0, y: 352 },
      config: {
        agent_id: "editor",
        instructions: "First let the article be written, then have its facts checked, then find a headline. Then the work is done.",
        managed_nodes: ["write", "check_facts", "find_headline"],
        max_iterations: 8,
      },
    },
    {
      id: "write",
      kind: "agent",
      title: "Write the article",
      read_keys: ["question", "dossier"],
      write_keys: ["draft"],
      position: { x: 300, y: 248 },
      config: {
        agent_id: "journalist",
        instructions: WRITE,
        answer: "json",
        annealing: { evaluator_id: "critic", criteria: "A clear article that names its sources in the last line.", max_iterations: 3 },
      },
    },
    {
      id: "check_facts",
      kind: "subgraph",
      title: "Check the facts",
      read_keys: ["draft", "dossier"],
      write_keys: ["fact_report"],
      position: { x: 300, y: 352 },
      config: { graph_id: "fact-check", inputs: { draft: "draft", dossier: "dossier" }, outputs: { fact_report: "report" } },
    },
    {
      id: "find_headline",
      kind: "evolution",
      title: "Find a headline",
      read_keys: ["draft"],
      write_keys: ["headline", "headline_report"],
      position: { x: 300, y: 456 },
      config: {
        candidate_id: "headliner",
        instructions: "Propose a headline of the draft, of at most 60 characters.",
        fitness: { expression: FITNESS },
        population_size: 3,
        max_generations: 3,
        max_concurrency: 1,
        write_to: "headline",
        report_to: "headline_report",
      },
    },
    {
      id: "compose",
      kind: "transform",
      title: "Put it together",
      read_keys: ["draft", "headline"],
      write_keys: ["article"],
      position: { x: 0, y: 592 },
      config: {
        set: [
          {
            path: "article",
            value: `{"title": has(memory.headline) ? memory.headline : memory.draft.title, "summary": memory.draft.summary, "body": memory.draft.body}`,
          },
        ],
      },
    },
    {
      id: "fill_form",
      kind: "extract",
      title: "Fill in the form",
      read_keys: ["article"],
      write_keys: ["submission"],
      position: { x: 270, y: 592 },
      config: { agent_id: "form_filler", from: "article", instructions: FILL, fields: ARTICLE_FIELDS },
    },
    {
      id: "review",
      kind: "review",
      title: "Review the article",
      read_keys: ["submission", "article"],
      position: { x: 540, y: 592 },
      config: {
        target: "submission",
        source: "article",
        instructions: "Does it say no more than the article, and does it sell nothing? What passes can be published, word for word.",
        reviewers: [
          { type: "agent", agent_id: "facts_reviewer" },
          { type: "agent", agent_id: "tone_reviewer" },
          { type: "person", role: "reviewer", count: 1 },
        ],
        quorum: 2,
      },
    },
    {
      id: "judge",
      kind: "judge",
      title: "Judge by the rules",
      read_keys: ["submission"],
      write_keys: ["reviewed_article"],
      position: { x: 810, y: 592 },
      config: { review: "review", from: "submission", to: "reviewed_article", rules: ARTICLE_RULES, rejection_node: "explain" },
    },
    {
      id: "publish",
      kind: "tool",
      title: "Publish",
      read_keys: ["reviewed_article"],
      write_keys: ["publication"],
      effect: "irreversible",
      approval: "always",
      failure_policy: { attempts: 1 },
      compensation: { server: "library", tool: "retract", arguments: { article_id: { result: "article_id" } } },
      position: { x: 0, y: 744 },
      config: {
        server: "library",
        tool: "publish",
        arguments: {
          title: from("reviewed_article.title"),
          summary: from("reviewed_article.summary"),
          body: from("reviewed_article.body"),
        },
      },
    },
    {
      id: "remember",
      kind: "reflection",
      title: "Remember the facts",
      read_keys: ["dossier"],
      write_keys: ["facts"],
      position: { x: 270, y: 744 },
      config: { topic: "research", extractor: { type: "rules", min_sentence_length: 40 }, max_facts: 6 },
    },
    {
      id: "explain",
      kind: "agent",
      title: "Explain why not",
      read_keys: ["question", "fact_report"],
      write_keys: ["outcome"],
      position: { x: 810, y: 744 },
      config: { agent_id: "librarian", instructions: "Nothing is published. Tell whoever asked why, in at most 60 words." },
    },
  ],
  edges: [
    { id: "planned", source: "plan", target: "fetch" },
    { id: "fetched", source: "fetch", target: "take_notes" },
    { id: "noted", source: "take_notes", target: "merge" },
    { id: "merged", source: "merge", target: "edit" },
    { id: "written", source: "write", target: "edit" },
    { id: "checked", source: "check_facts", target: "edit" },
    { id: "found", source: "find_headline", target: "edit" },
    { id: "edited", source: "edit", target: "compose" },
    // Keeps earlier work for the reviewer.
    { id: "given_up", source: "edit", target: "compose", kind: "error" },
    { id: "composed", source: "compose", target: "fill_form" },
    { id: "nothing_written", source: "compose", target: "explain", kind: "error" },
    { id: "filled_in", source: "fill_form", target: "review" },
    { id: "no_form", source: "fill_form", target: "explain", kind: "error" },
    { id: "reviewed", source: "review", target: "judge" },
    { id: "judged", source: "judge", target: "publish" },
    { id: "published", source: "publish", target: "remember" },
    { id: "not_published", source: "publish", target: "explain", kind: "error" },
  ],
} satisfies GraphInput;
