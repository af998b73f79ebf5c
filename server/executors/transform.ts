import type { NodeOf } from "@/lib/graph/document";
import { computes } from "@/lib/graph/kind-of";
import type { Json, JsonObject } from "@/lib/json";
import { compute } from "@/server/executors/compute";
import type { QuietExecutor, QuietInput } from "@/server/executors/contract";
import { createFailure, WRONG_KIND, type Failure } from "@/server/executors/written";

type Update = { readonly path: string; readonly value: Json };

/** Computes all expressions; one failure fails all. */
export const transformNode = (
  node: NodeOf<"transform">,
  input: QuietInput,
  view: JsonObject,
  item?: Json,
): { readonly type: "updates"; readonly updates: readonly Update[] } | Failure => {
  const updates: Update[] = [];
  for (const { path, value: text } of node.config.set) {
    const computed = compute(input, text, view, item);
    if (!computed.ok) return createFailure("expression_failed", false, computed.error);
    updates.push({ path, value: computed.value });
  }

  return { type: "updates", updates };
};

export const transformExecutor: QuietExecutor = (buildInput) => {
  const input = buildInput();
  if (!computes(input.node)) return WRONG_KIND;
  const end = transformNode(input.node, input, input.view);

  return end.type === "failure" ? end : { type: "result", actions: [{ type: "update_memory", updates: end.updates }] };
};
