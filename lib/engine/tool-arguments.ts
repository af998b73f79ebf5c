/** The exact arguments of a tool node: fixed values, declared reads, parts of an item. The same for approver, gateway and executor. */
import type { NodeOf } from "@/lib/graph/document";
import { valueAtText } from "@/lib/graph/path";
import type { Json, JsonObject } from "@/lib/json";

type Argument = NodeOf<"tool">["config"]["arguments"][string];

const argumentFrom = (argument: Argument, view: JsonObject, item: Json | undefined): Json | undefined => {
  if ("value" in argument) return argument.value;
  if ("from" in argument) return valueAtText(view, argument.from);

  return argument.item === "" ? item : valueAtText(item, argument.item);
};

/**
 * An argument whose path holds nothing is left out; the pinned schema then says whether that is allowed.
 * @param item what a map's worker works on; absent for every other node
 */
export const toolArguments = (node: NodeOf<"tool">, view: JsonObject, item?: Json): JsonObject =>
  Object.fromEntries(
    Object.entries(node.config.arguments).flatMap(([name, argument]) => {
      const value = argumentFrom(argument, view, item);

      return value === undefined ? [] : [[name, value]];
    }),
  );
