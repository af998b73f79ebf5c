import type { GraphInput } from "@/lib/graph/document";

const text = (maxLength: number) => ({ type: "string", maxLength });
const open = { type: "object", additionalProperties: true };
const closed = (properties: Record<string, object>) => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

export const MAX_SOURCES = 6;

export const questionSchema = {
  type: "string",
  title: "Question",
  description: "For example: Do street trees cool a city in summer?",
  minLength: 8,
  maxLength: 300,
};

export const articleSchema = closed({ title: text(200), summary: text(500), body: text(8_000) });
const formSchema = {
  type: "object",
  properties: { ...articleSchema.properties, tone: text(20), source_1: text(500), source_2: text(500) },
  required: ["title", "summary", "body", "tone", "source_1"],
  additionalProperties: false,
};
const score = { type: "number", minimum: 0, maximum: 1 };
const verdict = closed({ passed: { type: "boolean" }, score, reason: text(2_000) });
const report = closed({ ok: { type: "boolean" }, score, reason: text(2_000) });

export const RESEARCH_MEMORY = [
  { key: "question", description: "What the article answers", schema: questionSchema },
  {
    key: "plan",
    description: "Which page may answer which part of the question, and how much earlier runs have left",
    schema: closed({
      steps: {
        type: "array",
        items: closed({ question: text(300), page: { type: "string", pattern: "^[a-z][a-z0-9-]{0,63}$" } }),
        maxItems: MAX_SOURCES,
      },
      known: { type: "integer", minimum: 0, maximum: 100 },
    }),
  },
  {
    key: "pages",
    description: "The pages as the library has them",
    schema: { type: "array", items: { type: ["object", "null"], additionalProperties: true }, maxItems: MAX_SOURCES },
  },
  {
    key: "notes",
    description: "What each page says about the question",
    schema: {
      type: "array",
      items: {
        type: ["object", "null"],
        properties: {
          source: text(300),
          address: text(300),
          usable: { type: "boolean" },
          points: { type: "array", items: text(1_000), maxItems: 10 },
        },
        additionalProperties: false,
      },
      maxItems: MAX_SOURCES,
    },
  },
  { key: "dossier", description: "All notes as one text", schema: text(20_000) },
  { key: "draft", description: "The article as the journalist proposes it", schema: articleSchema },
  { key: "fact_report", description: "What the fact check says about the draft", schema: report },
  { key: "headline", description: "The best headline that was found", schema: text(200) },
  { key: "headline_report", description: "How the headline was found", schema: open },
  { key: "article", description: "The draft under its headline", schema: articleSchema },
  { key: "submission", description: "What of the article is to be published, as a form that nobody has checked yet", schema: formSchema },
  {
    key: "reviewed_article",
    description: "The form as its reviewers have read it and its judge let it pass: nothing else can be published",
    schema: formSchema,
    min_integrity: "reviewed",
  },
  { key: "publication", description: "Where the article was published", schema: open },
  { key: "facts", description: "What later runs are told", schema: { type: "array", items: text(2_000), maxItems: 6 } },
  { key: "outcome", description: "Why nothing was published", schema: text(2_000) },
] satisfies GraphInput["memory"];

export const FACT_CHECK_MEMORY = [
  { key: "draft", description: "The draft to be checked", schema: articleSchema },
  { key: "dossier", description: "What is known", schema: text(20_000) },
  { key: "material", description: "Both, as the judge is shown them", schema: open },
  { key: "verdict", description: "What the judge says", schema: verdict },
  { key: "report", description: "The result of the check", schema: report },
] satisfies GraphInput["memory"];
