/** Validates a model's graph; problems become sentences. */
import { findForbidden, findLoosened } from "@/lib/architect/forbidden";
import { placeNodes } from "@/lib/architect/place";
import { graphSchema, type Graph } from "@/lib/graph/document";
import type { ValidationContext } from "@/lib/graph/facts/facts";
import { validateGraph } from "@/lib/graph/validate";
import { toPlainJson, type Json } from "@/lib/json";

const LIMITS = { maxBytes: 262_144, maxDepth: 32 };
const MOST_PROBLEMS = 40;
const MOST_CHARACTERS = 400;

export type AnswerProblem = { readonly code: string; readonly message: string; readonly node?: string | undefined };

export type Judged =
  | { readonly ok: true; readonly graph: Graph; readonly warnings: readonly AnswerProblem[] }
  | { readonly ok: false; readonly problems: readonly AnswerProblem[] };

/** It may quote the model. */
const short = (one: AnswerProblem): AnswerProblem => ({
  ...one,
  message: one.message.toWellFormed().slice(0, MOST_CHARACTERS).toWellFormed(),
});

const wrong = (problems: readonly AnswerProblem[]): Judged => ({ ok: false, problems: problems.slice(0, MOST_PROBLEMS).map(short) });

const parsed = (text: string): { readonly value: unknown } | null => {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return null;
  }
};

/** Models wrap JSON in fences or sentences. */
const jsonIn = (text: string): Json | undefined => {
  if (text.length > LIMITS.maxBytes) return undefined;
  const found = parsed(text.trim()) ?? parsed(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1));
  const plain = found && toPlainJson(found.value, LIMITS);

  return plain?.ok ? plain.value : undefined;
};

/** The model chooses no ids. */
const freshId = (graph: Graph, before: Graph | null, context: ValidationContext): string => {
  if (before) return before.id;
  const taken = new Set(context.versions.map(({ published }) => published.graph.id));
  let id = graph.id;
  for (let next = 2; taken.has(id); next += 1) id = `${graph.id.slice(0, 56)}-${next}`;

  return id;
};

const withoutDetail = ({ code, message, node, key }: { code: string; message: string; node?: string; key?: string }): AnswerProblem => ({
  code,
  message: key === undefined ? message : `${message} (${key})`,
  ...(node === undefined ? {} : { node }),
});

/** Checks a graph against all rules for architects. @param before null: new */
export const judgeGraph = (document: unknown, before: Graph | null, context: ValidationContext): Judged => {
  const read = graphSchema.safeParse(document);
  const problems = validateGraph(document, context);
  const errors = problems.filter(({ severity }) => severity === "error");
  if (!read.success) return wrong(errors.map(withoutDetail));
  const graph = placeNodes({ ...read.data, id: freshId(read.data, before, context) }, before);
  const forbidden = findForbidden(graph, context, problems);
  const others = errors.filter(({ code, node }) => !forbidden.some((one) => one.code === code && one.node === node));
  if (forbidden.length > 0 || others.length > 0) return wrong([...forbidden, ...others.map(withoutDetail)]);
  const loosened = before ? findLoosened(before, graph, context) : [];
  if (loosened.length > 0) return wrong(loosened);

  return { ok: true, graph, warnings: problems.map((one) => short(withoutDetail(one))) };
};

/** Checks a model's answer. */
export const judgeAnswer = (text: string, before: Graph | null, context: ValidationContext): Judged => {
  const document = jsonIn(text);
  if (document === undefined) return wrong([{ code: "not_json", message: "The answer is not one JSON object of a reasonable size." }]);

  return judgeGraph(document, before, context);
};
