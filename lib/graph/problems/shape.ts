/** Schema faults of non-graphs, by node, edge or key. */
import { z } from "zod";
import { createProblem, type Place, type Problem } from "./problem";

const MAX_PROBLEMS = 200;

const named = z.looseObject({ id: z.string().optional(), key: z.string().optional() });
const listed = z.looseObject({
  nodes: z.array(z.unknown()).optional().catch(undefined),
  edges: z.array(z.unknown()).optional().catch(undefined),
  memory: z.array(z.unknown()).optional().catch(undefined),
});

const placeOf = (document: unknown, path: readonly PropertyKey[]): Place => {
  const lists = listed.safeParse(document);
  const [list, index] = path;
  if (!lists.success || typeof index !== "number") return {};
  const item = (from: readonly unknown[] | undefined) => {
    const parsed = named.safeParse(from?.[index]);

    return parsed.success ? parsed.data : {};
  };
  const { id: node } = list === "nodes" ? item(lists.data.nodes) : {};
  const { id: edge } = list === "edges" ? item(lists.data.edges) : {};
  const { key } = list === "memory" ? item(lists.data.memory) : {};

  return { ...(node === undefined ? {} : { node }), ...(edge === undefined ? {} : { edge }), ...(key === undefined ? {} : { key }) };
};

/** Reports field names and schema messages, never values. */
export const findShapeProblems = (document: unknown, issues: readonly z.core.$ZodIssue[]): Problem[] =>
  issues.slice(0, MAX_PROBLEMS).map((issue) => {
    const place = placeOf(document, issue.path);
    const field = issue.path
      .slice(Object.keys(place).length > 0 ? 2 : 0)
      .map(String)
      .join(".");

    return createProblem("shape", place, `${field === "" ? "The document" : field}: ${issue.message}`);
  });
