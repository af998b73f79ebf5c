import type { GraphNode } from "@/lib/graph/document";
import { getKind } from "@/lib/graph/kind-of";
import type { Json } from "@/lib/json";
import { refuse, type Refusal } from "@/lib/refusal";
import { err, ok, type Result } from "@/lib/result";
import type { Write } from "@/lib/engine/decide/verdict";
import type { CheckedWrites } from "@/lib/engine/decide/writes";

const MAX_CHARACTERS = 4_000;

export const getFactPath = (topic: string): string => `$fact.${topic}`;

/** Labels the facts that a node keeps with everything the node could read. */
export const collectFacts = (node: GraphNode, { writes }: CheckedWrites): Result<readonly Write[], Refusal> => {
  const { kept } = getKind(node).facts(node.config);
  if (!kept) return ok([]);
  const [written, more] = writes;
  if (!written || more || !Array.isArray(written.value)) return err(refuse("value_invalid", [node.id]));
  const listed: readonly Json[] = written.value;
  const texts = listed.filter((item) => typeof item === "string" && item.length <= MAX_CHARACTERS);
  if (texts.length !== listed.length || texts.length > kept.most) return err(refuse("value_invalid", [node.id]));

  return ok(texts.map((text) => ({ path: getFactPath(kept.topic), value: text, label: written.label })));
};
