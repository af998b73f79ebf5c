import type { NodeOf } from "@/lib/graph/document";
import { getValueAtText } from "@/lib/graph/path";
import type { Json, JsonObject } from "@/lib/json";

type Argument = NodeOf<"tool">["config"]["arguments"][string];

const argumentFrom = (argument: Argument, view: JsonObject, item: Json | undefined): Json | undefined => {
  if ("value" in argument) return argument.value;
  if ("from" in argument) return getValueAtText(view, argument.from);

  return argument.item === "" ? item : getValueAtText(item, argument.item);
};

/**
 * Omits empty paths; the pinned schema decides.
 * @param item of a map's worker
 */
export const buildToolArguments = (node: NodeOf<"tool">, view: JsonObject, item?: Json): JsonObject =>
  Object.fromEntries(
    Object.entries(node.config.arguments).flatMap(([name, argument]) => {
      const value = argumentFrom(argument, view, item);

      return value === undefined ? [] : [[name, value]];
    }),
  );
