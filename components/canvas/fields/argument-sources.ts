import type { Compensation, NodeOf } from "@/lib/graph/document";
import type { Json } from "@/lib/json";
import { formatLoose, parseLoose } from "./loose-json";
import { findOptionalPathFault, findPathFault } from "./path-check";

export type ToolArgument = NodeOf<"tool">["config"]["arguments"][string];
export type UndoArgument = Compensation["arguments"][string];

/** Path, fixed value, part of the item or result, or argument name. */
export type Argument =
  | { readonly from: string }
  | { readonly value: Json }
  | { readonly item: string }
  | { readonly result: string }
  | { readonly argument: string };

export type SourceName = "from" | "value" | "item" | "result" | "argument";

export type Source<A extends Argument> = {
  readonly value: SourceName;
  readonly label: string;
  readonly field: (name: string) => string;
  readonly hint?: string;
  readonly isPath?: true;
  readonly check: (text: string) => string | null;
  readonly initial: (firstPath: string, name: string) => A;
  readonly of: (text: string) => A;
};

const FROM: Source<{ from: string }> = {
  value: "from",
  label: "From memory",
  field: (name) => `Path for ${name}`,
  isPath: true,
  check: findPathFault,
  initial: (from) => ({ from }),
  of: (from) => ({ from }),
};

const FIXED: Source<{ value: Json }> = {
  value: "value",
  label: "Fixed value",
  field: (name) => `Value of ${name}`,
  check: () => null,
  initial: () => ({ value: "" }),
  of: (text) => ({ value: parseLoose(text) }),
};

const ITEM: Source<{ item: string }> = {
  value: "item",
  label: "From the item",
  field: (name) => `Part of the item for ${name}`,
  hint: "If empty, the whole item.",
  check: findOptionalPathFault,
  initial: () => ({ item: "" }),
  of: (item) => ({ item }),
};

const RESULT: Source<{ result: string }> = {
  value: "result",
  label: "From the result",
  field: (name) => `Part of the result for ${name}`,
  hint: "If empty, the whole result.",
  check: findOptionalPathFault,
  initial: () => ({ result: "" }),
  of: (result) => ({ result }),
};

const SAME: Source<{ argument: string }> = {
  value: "argument",
  label: "Same as in the call",
  field: (name) => `Argument for ${name}`,
  check: (text) => (text === "" || text.length > 128 ? "1 to 128 characters." : null),
  initial: (_firstPath, name) => ({ argument: name }),
  of: (argument) => ({ argument }),
};

export const TOOL_SOURCES: readonly Source<ToolArgument>[] = [FROM, FIXED];
/** Workers of a map receive its items. */
export const WORKER_SOURCES: readonly Source<ToolArgument>[] = [FROM, FIXED, ITEM];
export const UNDO_SOURCES: readonly Source<UndoArgument>[] = [SAME, RESULT, FROM, FIXED];

export const getSourceName = (argument: Argument): SourceName => {
  if ("from" in argument) return "from";
  if ("value" in argument) return "value";
  if ("item" in argument) return "item";

  return "result" in argument ? "result" : "argument";
};

export const getText = (argument: Argument): string => {
  if ("from" in argument) return argument.from;
  if ("value" in argument) return formatLoose(argument.value);
  if ("item" in argument) return argument.item;

  return "result" in argument ? argument.result : argument.argument;
};
