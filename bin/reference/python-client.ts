import {
  getChoices,
  getLiterals,
  getPart,
  getProperties,
  getReferenceName,
  getTypes,
  readOpenApi,
  type ApiOperation,
} from "@/lib/api/openapi-reader";
import type { Json, JsonObject } from "@/lib/json";

const KEYWORDS = new Set(
  "and as assert async await break class def del from global if import in is lambda not or pass raise try".split(" "),
);

/** As `_to_attribute` of `_calls.py`. */
const toSnake = (name: string): string => {
  const snake = name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/gu, "_").toLowerCase();
  if (KEYWORDS.has(snake)) throw new Error(`${name} is a word of Python`);

  return snake;
};

const toClass = (name: string): string =>
  name
    .split(/[_-]/u)
    .map((part) => `${part.slice(0, 1).toUpperCase()}${part.slice(1)}`)
    .join("");

const quote = (value: Json): string => (typeof value === "boolean" ? (value ? "True" : "False") : JSON.stringify(value));

const PLAIN: Readonly<Record<string, string>> = { string: "str", integer: "int", number: "float", boolean: "bool", null: "None" };

type Use = "given" | "answered";

const takesNone = (type: string): boolean => type === "Any" || type.endsWith("None");

/** Of a discriminated union. */
const tagOf = (choice: JsonObject): string => {
  const [tag] = getProperties(choice).flatMap(({ name, schema }) => (name === "type" ? (getLiterals(schema) ?? []) : []));

  return typeof tag === "string" ? toClass(tag) : "";
};

const createTypes = (schemas: Readonly<Record<string, JsonObject>>) => {
  const written = new Map<string, string>();

  const writeClass = (name: string, schema: JsonObject, use: Use): string => {
    if (name in schemas && use === "given") throw new Error(`${name} is both given and answered`);
    if (written.has(name)) return name;
    const members = getProperties(schema).flatMap(({ name: member, schema: part, isRequired, about }) => {
      const type = typeOf(part, `${name}${toClass(member)}`, use);
      const given = `    ${member}: ${isRequired ? type : `NotRequired[${type}]`}`;
      const answered = `    ${toSnake(member)}: ${isRequired ? type : `${takesNone(type) ? type : `${type} | None`} = None`}`;

      return [...(about === "" ? [] : [`    #: ${about}`]), use === "given" ? given : answered];
    });
    const head = use === "given" ? `class ${name}(TypedDict):` : `@dataclass(frozen=True, kw_only=True)\nclass ${name}:`;
    written.set(name, `${head}\n${members.join("\n")}\n`);

    return name;
  };

  const typeOf = (schema: JsonObject, name: string, use: Use): string => {
    const reference = getReferenceName(schema);
    if (reference !== null) return reference === "Json" ? "Json" : writeClass(reference, schemas[reference] ?? {}, use);
    const literals = getLiterals(schema);
    if (literals) return `Literal[${literals.map(quote).join(", ")}]`;
    const choices = getChoices(schema);
    if (choices.length > 0) {
      const isNullable = choices.length === 2 && choices.some((choice) => choice["type"] === "null");
      const types = choices.map((choice, index) => typeOf(choice, `${name}${isNullable ? "" : tagOf(choice) || index}`, use));

      return [...new Set(types)].join(" | ");
    }
    const types = getTypes(schema);
    if (types[0] === "array") return `list[${typeOf(getPart(schema, "items"), name.replace(/s$/u, ""), use)}]`;
    if (types[0] === "object") {
      if ("properties" in schema) return writeClass(name, schema, use);

      return `dict[str, ${typeOf(getPart(schema, "additionalProperties"), name, use)}]`;
    }

    return types.length === 0 ? "Any" : types.map((one) => PLAIN[one] ?? "Any").join(" | ");
  };

  return { typeOf, written };
};

type Types = ReturnType<typeof createTypes>;
type Argument = { readonly wire: string; readonly type: string; readonly isNeeded: boolean; readonly about: string };

const render = (arguments_: readonly Argument[]): string =>
  arguments_.length === 0 ? "{}" : `{${arguments_.map(({ wire }) => `${JSON.stringify(wire)}: ${toSnake(wire)}`).join(", ")}}`;

const isFlag = (schema: JsonObject): boolean => JSON.stringify(schema["enum"]) === '["true","false"]';

const argumentsIn = ({ parameters }: ApiOperation, place: "path" | "query", types: Types): Argument[] =>
  parameters
    .filter((parameter) => parameter.in === place)
    .map(({ name: wire, required, schema }) => ({
      wire,
      type: isFlag(schema) ? "bool" : types.typeOf(schema, "", "given"),
      isNeeded: required,
      about: typeof schema["description"] === "string" ? schema["description"] : "",
    }));

const argumentsInBody = ({ id, body }: ApiOperation, types: Types): Argument[] | null =>
  body &&
  getProperties(body).map(({ name: wire, schema, isRequired, about }) => {
    const type = types.typeOf(schema, `${toClass(id)}${toClass(wire)}`, "given");
    if (type.endsWith("None")) throw new Error(`${id}.${wire}: None means absent`);

    return { wire, type, isNeeded: isRequired || type === "Any", about };
  });

const answerOf = ({ id, answer: { media, schema } }: ApiOperation, types: Types) => {
  if (Object.keys(schema).length === 0) return { method: "_read", kind: null, returns: "str" };
  // No dataclass has such a member.
  if (getProperties(schema).some(({ name }) => name.startsWith("$"))) return { method: "_get", kind: "Any", returns: "dict[str, Any]" };
  const members = new Map(getProperties(schema).map(({ name, schema: part }) => [name, part]));
  const items = members.has("nextCursor") ? members.get("items") : undefined;
  const kind = items
    ? `Page[${types.typeOf(getPart(items, "items"), `${toClass(id)}Item`, "answered")}]`
    : types.typeOf(schema, `${toClass(id)}Answer`, "answered");

  return media === "text/event-stream"
    ? { method: "_follow", kind, returns: `Iterator[${kind}]` }
    : { method: "_get", kind, returns: kind };
};

const renderMethod = (operation: ApiOperation, types: Types): string => {
  const { id, method: verb, path, summary } = operation;
  const inPath = argumentsIn(operation, "path", types);
  const inQuery = argumentsIn(operation, "query", types);
  const inBody = argumentsInBody(operation, types);
  const { method, kind, returns } = answerOf(operation, types);
  const defers = operation.parameters.some(({ name }) => name === "Prefer");
  const file: Argument = { wire: "file", type: "bytes | BinaryIO", isNeeded: true, about: "an open file is sent once, without a repeat" };
  const all = [...inPath, ...inQuery, ...(inBody ?? []), ...(operation.takesFile ? [file] : [])];
  const parameters = [
    ...all.map(({ wire, type, isNeeded }) => `${toSnake(wire)}: ${isNeeded ? type : `${type} | None = None`}`),
    ...(inBody ? ["idempotency_key: str | None = None"] : []),
    ...(defers ? ["respond_async: bool = False"] : []),
  ];
  const abouts = [
    ...all.filter(({ about }) => about !== "").map(({ wire, about }) => `        ${toSnake(wire)}: ${about}`),
    ...(defers ? ["        respond_async: return once the request is stored, before it is decided"] : []),
  ];
  const call = [
    ...(kind === null ? [] : [kind]),
    JSON.stringify(verb),
    JSON.stringify(path),
    render(inPath),
    render(inQuery),
    inBody ? render(inBody) : operation.takesFile ? "file" : "None",
    inBody ? "idempotency_key" : "None",
    ...(defers ? ["respond_async"] : []),
  ];

  return `    def ${toSnake(id)}(
        self${parameters.length === 0 ? "" : ["", "*", ...parameters].join(",\n        ")},
    ) -> ${returns}:
        """${summary}. ${operation.about}${abouts.length === 0 ? '"""' : `\n\n${abouts.join("\n")}\n        """`}
        return self.${method}(${call.join(", ")})
`;
};

export const renderPythonClient = (document: JsonObject): string => {
  const { operations, schemas } = readOpenApi(document);
  const types = createTypes(schemas);
  const methods = operations.map((operation) => renderMethod(operation, types));
  const names = [...types.written.keys()].toSorted().map((name) => JSON.stringify(name));

  return `# Generated by npm run reference. Do not edit.
"""Operations of the Countersign HTTP API. Times are milliseconds since 1970."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO, Literal, NotRequired, TypedDict

from ._calls import Caller, Page

__all__ = [${names.join(", ")}]

Json = Any


${[...types.written.values()].join("\n\n")}

class Client(Caller):
    """A method for each operation."""

${methods.join("\n")}`;
};
