/** Types and methods of the Python client, from the OpenAPI document. */
import { z } from "zod";
import { isJsonObject, type Json, type JsonObject } from "@/lib/json";

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

const objectAt = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {});
const listAt = (value: Json | undefined): readonly Json[] => z.array(z.json()).catch([]).parse(value);
const textAt = (value: Json | undefined): string => (typeof value === "string" ? value : "");
const quote = (value: Json): string => (typeof value === "boolean" ? (value ? "True" : "False") : JSON.stringify(value));

const nameOf = (reference: Json | undefined): string => textAt(reference).slice("#/components/schemas/".length);

const PLAIN: Readonly<Record<string, string>> = { string: "str", integer: "int", number: "float", boolean: "bool", null: "None" };

type Use = "given" | "answered";

const createTypes = (components: JsonObject) => {
  const written = new Map<string, string>();

  const writeClass = (name: string, schema: JsonObject, use: Use): string => {
    if (name in components && use === "given") throw new Error(`${name} is both given and answered`);
    if (written.has(name)) return name;
    const required = new Set(listAt(schema["required"]));
    const members = Object.entries(objectAt(schema["properties"])).flatMap(([member, each]) => {
      const part = objectAt(each);
      const type = typeOf(part, `${name}${toClass(member)}`, use);
      const about = textAt(part["description"]);
      const isNeeded = required.has(member);
      const optional = use === "given" ? `NotRequired[${type}]` : type.endsWith("None") || type === "Any" ? type : `${type} | None`;
      const line =
        use === "given"
          ? `    ${member}: ${isNeeded ? type : optional}`
          : `    ${toSnake(member)}: ${isNeeded ? type : `${optional} = None`}`;

      return [...(about === "" ? [] : [`    #: ${about}`]), line];
    });
    const head = use === "given" ? `class ${name}(TypedDict):` : `@dataclass(frozen=True, kw_only=True)\nclass ${name}:`;
    written.set(name, `${head}\n${members.join("\n")}\n`);

    return name;
  };

  const typeOf = (schema: JsonObject, name: string, use: Use): string => {
    if ("$ref" in schema) {
      const target = nameOf(schema["$ref"]);

      return target === "Json" ? "Json" : writeClass(target, objectAt(components[target]), use);
    }
    if ("enum" in schema || "const" in schema) {
      const values = "const" in schema ? [schema["const"] ?? null] : listAt(schema["enum"]);

      return `Literal[${values.map(quote).join(", ")}]`;
    }
    const choices = [...listAt(schema["anyOf"]), ...listAt(schema["oneOf"])].map(objectAt);
    if (choices.length > 0) {
      const isNullable = choices.length === 2 && choices.some((choice) => choice["type"] === "null");
      const types = choices.map((choice, index) => typeOf(choice, `${name}${isNullable ? "" : tagOf(choice) || index}`, use));

      return [...new Set(types)].join(" | ");
    }
    const { type } = schema;
    if (Array.isArray(type)) return type.map((one) => PLAIN[textAt(one)] ?? "Any").join(" | ");
    if (type === "array") return `list[${typeOf(objectAt(schema["items"]), name.replace(/s$/u, ""), use)}]`;
    if (type !== "object") return PLAIN[textAt(type)] ?? "Any";
    if ("properties" in schema) return writeClass(name, schema, use);

    return `dict[str, ${typeOf(objectAt(schema["additionalProperties"]), name, use)}]`;
  };

  return { typeOf, written };
};

const tagOf = (choice: JsonObject): string => toClass(textAt(objectAt(objectAt(choice["properties"])["type"])["const"]));

const isPage = (schema: JsonObject): boolean => "nextCursor" in objectAt(schema["properties"]);

type Types = ReturnType<typeof createTypes>;
type Argument = { readonly wire: string; readonly type: string; readonly isNeeded: boolean; readonly about: string };

const render = (arguments_: readonly Argument[]): string =>
  arguments_.length === 0 ? "{}" : `{${arguments_.map(({ wire }) => `${JSON.stringify(wire)}: ${toSnake(wire)}`).join(", ")}}`;

const isFlag = (schema: JsonObject): boolean => JSON.stringify(schema["enum"]) === '["true","false"]';

const argumentsIn = (operation: JsonObject, place: string, types: Types): Argument[] =>
  listAt(operation["parameters"])
    .map(objectAt)
    .filter((parameter) => parameter["in"] === place)
    .map((parameter) => {
      const schema = objectAt(parameter["schema"]);

      return {
        wire: textAt(parameter["name"]),
        type: isFlag(schema) ? "bool" : types.typeOf(schema, "", "given"),
        isNeeded: parameter["required"] === true,
        about: textAt(schema["description"]),
      };
    });

const bodyOf = (operation: JsonObject, name: string, types: Types): Argument[] | null => {
  if (!("requestBody" in operation)) return null;
  const schema = objectAt(objectAt(objectAt(objectAt(operation["requestBody"])["content"])["application/json"])["schema"]);
  const required = new Set(listAt(schema["required"]));

  return Object.entries(objectAt(schema["properties"])).map(([wire, each]) => {
    const part = objectAt(each);
    const type = types.typeOf(part, `${name}${toClass(wire)}`, "given");
    if (type.endsWith("None")) throw new Error(`${name}.${wire}: None means absent`);

    return {
      wire,
      type,
      isNeeded: required.has(wire) || !("type" in part || "anyOf" in part || "oneOf" in part),
      about: textAt(part["description"]),
    };
  });
};

const answerOf = (operation: JsonObject, name: string, types: Types) => {
  const [answered] = Object.entries(objectAt(operation["responses"])).flatMap(([status, each]) =>
    status === "default" ? [] : [objectAt(each)],
  );
  const [[media, content] = ["", {}]] = Object.entries(objectAt(answered?.["content"]));
  const schema = objectAt(objectAt(content)["schema"]);
  if (Object.keys(schema).length === 0) return { method: "_read", kind: "", returns: "str" };
  const items = objectAt(objectAt(objectAt(schema["properties"])["items"])["items"]);
  const kind = isPage(schema)
    ? `Page[${types.typeOf(items, `${name}Item`, "answered")}]`
    : types.typeOf(schema, `${name}Answer`, "answered");

  return media === "text/event-stream"
    ? { method: "_follow", kind, returns: `Iterator[${kind}]` }
    : { method: "_get", kind, returns: kind };
};

const methodOf = (verb: string, path: string, operation: JsonObject, types: Types): string => {
  const id = textAt(operation["operationId"]);
  const name = toClass(id);
  const [inPath, inQuery, body] = [
    argumentsIn(operation, "path", types),
    argumentsIn(operation, "query", types),
    bodyOf(operation, name, types),
  ];
  const { method, kind, returns } = answerOf(operation, name, types);
  const all = [...inPath, ...inQuery, ...(body ?? [])];
  const parameters = [
    ...all.map(({ wire, type, isNeeded }) => `${toSnake(wire)}: ${isNeeded ? type : `${type} | None = None`}`),
    ...(body ? ["idempotency_key: str | None = None"] : []),
  ];
  const about = all.filter((each) => each.about !== "").map((each) => `        ${toSnake(each.wire)}: ${each.about}`);
  const call = [
    ...(kind === "" ? [] : [kind]),
    JSON.stringify(verb),
    JSON.stringify(path),
    render(inPath),
    render(inQuery),
    body ? render(body) : "None",
    body ? "idempotency_key" : "None",
  ];
  const summary = `${textAt(operation["summary"])}. ${textAt(operation["description"])}`;
  const end = about.length === 0 ? '"""' : `\n\n${about.join("\n")}\n        """`;

  return `    def ${toSnake(id)}(
        self${parameters.length === 0 ? "" : ["", "*", ...parameters].join(",\n        ")},
    ) -> ${returns}:
        """${summary}${end}
        return self.${method}(${call.join(", ")})
`;
};

export const renderPythonClient = (document: JsonObject): string => {
  const types = createTypes(objectAt(objectAt(document["components"])["schemas"]));
  const [server] = z.array(z.object({ url: z.string() })).parse(document["servers"]);
  const methods = Object.entries(objectAt(document["paths"])).flatMap(([path, verbs]) =>
    Object.entries(objectAt(verbs)).map(([verb, operation]) =>
      methodOf(verb.toUpperCase(), `${server?.url ?? ""}${path}`, objectAt(operation), types),
    ),
  );
  const classes = [...types.written.values()];

  return `# Generated by npm run reference. Do not edit.
"""Operations of the Countersign HTTP API. Times are milliseconds since 1970."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, NotRequired, TypedDict

from ._calls import Caller, Page

__all__ = [${[...types.written.keys()]
    .toSorted()
    .map((name) => JSON.stringify(name))
    .join(", ")}]

Json = Any


${classes.join("\n\n")}

class Client(Caller):
    """A method for each operation."""

${methods.join("\n")}`;
};
