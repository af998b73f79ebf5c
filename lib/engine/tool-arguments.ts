/** The exact arguments of a tool node: fixed values and declared reads, the same for approver, gateway and executor. */
import type { NodeOf } from "@/lib/graph/document";
import { parsePath, valueAt } from "@/lib/graph/path";
import type { JsonObject } from "@/lib/json";

/** An argument whose path holds nothing is left out; the pinned schema then says whether that is allowed. */
export const toolArguments = (node: NodeOf<"tool">, view: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(node.config.arguments).flatMap(([name, from]) => {
      if ("value" in from) return [[name, from.value]];
      const path = parsePath(from.from);
      const value = path ? valueAt(view, path) : undefined;

      return value === undefined ? [] : [[name, value]];
    }),
  );
