import type { NodeOf } from "@/lib/graph/document";
import type { Json } from "@/lib/json";
import { refuse, type Refusal } from "@/lib/refusal";
import { err, ok, type Result } from "@/lib/result";
import type { Write } from "@/lib/engine/decide/verdict";
import type { CheckedWrites } from "@/lib/engine/decide/writes";

const MAX_CHARACTERS = 4_000;

export const getFactPath = (topic: string): string => `$fact.${topic}`;

/** Labels facts with everything the node could read. */
export const collectFacts = (node: NodeOf<"reflection">, { writes }: CheckedWrites): Result<readonly Write[], Refusal> => {
  const [written, more] = writes;
  if (!written || more || !Array.isArray(written.value)) return err(refuse("value_invalid", [node.id]));
  const listed: readonly Json[] = written.value;
  const texts = listed.filter((item) => typeof item === "string" && item.length <= MAX_CHARACTERS);
  if (texts.length !== listed.length || texts.length > node.config.max_facts) return err(refuse("value_invalid", [node.id]));

  return ok(texts.map((text) => ({ path: getFactPath(node.config.topic), value: text, label: written.label })));
};
