/** An agent's last words as the proposal that completes its node. */
import type { NodeOf } from "@/lib/graph/document";
import { writeGrants } from "@/server/executors/agent-tools";
import type { ExecutorInput, ExecutorOutcome } from "@/server/executors/contract";

const parsed = (text: string): { readonly value: unknown } | null => {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return null;
  }
};

/** Models like to wrap JSON in a fence or a sentence; what is inside is what they mean. */
const jsonIn = (text: string): { readonly value: unknown } | null => {
  const fenced = /```(?:json)?\s*\n(?<inner>[\s\S]*?)```/.exec(text)?.groups?.["inner"];
  const braced = text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1);

  return parsed(text.trim()) ?? (fenced === undefined ? null : parsed(fenced)) ?? parsed(braced);
};

const answerPath = (input: ExecutorInput, node: NodeOf<"agent">): string | null => {
  if (node.config.write_to !== undefined) return node.config.write_to;
  const grants = writeGrants(input).filter((grant) => grant !== "*");

  return grants.length === 1 ? (grants[0] ?? null) : null;
};

export const outcomeOf = (input: ExecutorInput, node: NodeOf<"agent">, text: string): ExecutorOutcome => {
  if (writeGrants(input).length === 0) return { type: "result", actions: [] };
  const path = answerPath(input, node);
  if (path === null) {
    return { type: "failure", code: "answer_has_no_key", retryable: false, detail: "The node does not say where the answer goes." };
  }
  if (node.config.answer === "text") return { type: "result", actions: [{ type: "update_memory", updates: [{ path, value: text }] }] };
  const answer = jsonIn(text);
  if (!answer) return { type: "failure", code: "answer_not_json", retryable: true, detail: "The model's answer is not JSON." };

  return { type: "result", actions: [{ type: "update_memory", updates: [{ path, value: answer.value }] }] };
};
