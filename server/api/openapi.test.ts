import { execFileSync } from "node:child_process";
import { Validator } from "@cfworker/json-schema";
import { expect, test } from "vitest";
import { CONTRACT } from "@/lib/api/contract";
import { ROUTES, type Operation } from "@/lib/api/routes";
import { readOpenApi } from "@/lib/api/openapi-reader";
import { isJsonObject, type Json } from "@/lib/json";
import { buildCurl, buildExample, describeType, listFields } from "@/lib/api/reference";
import { buildOpenApi } from "./openapi";

const { operations, schemas, errors } = readOpenApi(buildOpenApi());

test("reads every operation of the contract", () => {
  expect(operations.map(({ id }) => id).toSorted()).toEqual(Object.keys(ROUTES).toSorted());
  for (const { id, method, path } of operations) expect(`${method} ${path}`).toBe(ROUTES[id as Operation].replace(" ", " /api/v1"));
  expect(errors["rate_limited"]).toBe("Too many attempts. Wait a minute and try again.");
});

test.each(operations.flatMap(({ id, body }) => (body ? [[id, body] as const] : [])))("the example of %s is valid", (id, body) => {
  const example = buildExample(body);
  expect(new Validator({ ...body, components: { schemas } }, "2020-12").validate(example).errors).toEqual([]);
  const { body: own } = CONTRACT[id as "startRun"];
  expect(own.safeParse(example).error).toBeUndefined();
});

test.each(operations.map((operation) => [operation.id, operation] as const))("the command of %s is one of a shell", (_id, operation) => {
  const env = {
    NODE_ENV: "test",
    PATH: "/usr/bin:/bin",
    RUN_ID: "run",
    GRAPH_ID: "graph",
    APPROVAL_ID: "approval",
    COUNTERSIGN_URL: "http://x",
  } as const;
  const shell = `uuidgen() { echo key; }; curl() { for each in "$@"; do printf '%s\\0' "$each"; done; }\n${buildCurl(operation)}`;
  const given = execFileSync("sh", ["-uc", shell.replace("Bearer $COUNTERSIGN_TOKEN", "Bearer t")], { env, encoding: "utf8" }).split("\0");
  expect(given.find((each) => each.startsWith("http"))).toBe(`http://x${operation.path.replaceAll(/\{(\w+)Id\}/gu, "$1")}`);
  const data = given.indexOf("-d") + 1;
  expect(data === 0 ? null : JSON.parse(given[data] ?? "")).toEqual(operation.body && buildExample(operation.body));
});

test("lists the fields of objects inside, and links named schemas", () => {
  const rows = new Map(listFields(schemas["Approval"] ?? {}).map((row) => [row.name, row]));
  expect(rows.get("passkey.credentials[].rpId")).toMatchObject({ isRequired: true, type: [{ text: "string" }] });
  expect(rows.get("view")).toMatchObject({ type: [{ text: "any JSON" }] });
  const [graphs] = listFields(schemas["RunDetail"] ?? {}).filter(({ name }) => name === "waitingFor");
  expect(graphs?.type).toEqual([{ text: "array of " }, { text: "Waiting", reference: "Waiting" }]);
  expect(describeType({ type: "object", additionalProperties: { $ref: "#/components/schemas/Json" } })).toEqual([
    { text: "object of " },
    { text: "Json", reference: "Json" },
  ]);
});

test("names each field once", () => {
  const lists = [...Object.values(schemas), ...operations.flatMap(({ body }) => (body ? [body] : []))].map((schema) =>
    listFields(schema).map(({ name }) => name),
  );
  for (const names of lists) expect(new Set(names).size).toBe(names.length);
});

const referencesIn = (value: Json): string[] => {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (!isJsonObject(value)) return [];
  const { $ref, ...others } = value;

  return [...(typeof $ref === "string" ? [$ref] : []), ...Object.values(others).flatMap(referencesIn)];
};

test("every reference of the document leads to a part of it", () => {
  const document = buildOpenApi();
  const references = [...new Set(referencesIn(document))];
  const find = (reference: string) =>
    reference
      .split("/")
      .slice(1)
      .reduce<Json | undefined>((part, name) => (isJsonObject(part) ? part[name] : undefined), document);
  expect(references).toContain("#/components/schemas/Json");
  expect(references.filter((reference) => find(reference) === undefined)).toEqual([]);
});
