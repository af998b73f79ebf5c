import type { GraphNode, NodeOf } from "@/lib/graph/document";
import { getKind } from "@/lib/graph/kind-of";
import type { NodeKind } from "@/lib/graph/kinds";
import { intersectGrants, parsePath } from "@/lib/graph/path";
import type { JsonObject } from "@/lib/json";
import type { Executor, ExecutorInput, ExecutorOutcome } from "@/server/executors/contract";

export type Failure = Extract<ExecutorOutcome, { type: "failure" }>;

export const createFailure = (code: string, retryable: boolean, detail: string): Failure => ({ type: "failure", code, retryable, detail });

/** Our fault, not the graph's. */
export const WRONG_KIND = createFailure("wrong_kind", false, "");

const isOfKind = <K extends NodeKind>(node: GraphNode, kind: K): node is NodeOf<K> => node.kind === kind;

export const executeKind =
  <K extends NodeKind>(kind: K, run: (node: NodeOf<K>, ...call: Parameters<Executor>) => Promise<ExecutorOutcome>): Executor =>
  async (...call) => {
    const [{ node }] = call;

    return isOfKind(node, kind) ? run(node, ...call) : WRONG_KIND;
  };

export const agentMissing = createFailure("agent_missing", false, "The node's agent is not part of this version.");

/** Returns write grants under the agent's ceiling. */
export const writeGrants = (input: ExecutorInput): string[] => intersectGrants(input.node.write_keys, input.agent?.permissions.write_keys);

const onlyPath = (grants: readonly string[]): string | undefined => {
  const paths = grants.filter((grant) => grant !== "*");

  return paths.length === 1 ? paths[0] : undefined;
};

/** Proposes even a forbidden path, so that the ledger has the refusal. */
const resultPath = (input: ExecutorInput, writeTo: string | undefined): string | undefined =>
  writeTo ?? onlyPath(writeGrants(input)) ?? onlyPath(input.node.write_keys);

/** Returns the schema of the key that stores a JSON answer; a model told it needs no second attempt. */
export const storedAnswer = (
  input: ExecutorInput,
  writeTo: string | undefined,
  answer: "text" | "json",
): { readonly answerSchema?: JsonObject; readonly storedAs?: string } => {
  const path = resultPath(input, writeTo);
  const [key = "", ...rest] = parsePath(path ?? "") ?? [];
  const schema = Object.hasOwn(input.schemas, key) ? input.schemas[key] : undefined;
  if (path === undefined || schema === undefined || rest.length > 0 || answer === "text") return {};

  return { answerSchema: schema, storedAs: path };
};

type Update = { readonly path: string | undefined; readonly value: unknown };

/** Writes the result to `writeTo` or the only write key. @param beside further values, if the node names a path */
export const buildOutcome = (
  input: ExecutorInput,
  writeTo: string | undefined,
  value: unknown,
  beside: readonly Update[] = [],
): ExecutorOutcome => {
  const path = resultPath(input, writeTo);
  if (path === undefined && input.node.write_keys.length > 0) {
    return createFailure("answer_has_no_key", false, "The node does not say where its result goes.");
  }
  const updates = [{ path, value }, ...beside].filter((update) => update.path !== undefined);

  const type = getKind(input.node).proposes === "merges" ? "merge_parallel_results" : "update_memory";

  return { type: "result", actions: updates.length === 0 ? [] : [{ type, updates }] };
};
