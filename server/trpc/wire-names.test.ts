/** Field names of all inputs and outputs, as the compiler knows them. */
import path from "node:path";
import { API, SignatureKind, type Checker, type Type } from "typescript/unstable/sync";
import { afterAll, describe, expect, test } from "vitest";
import { ACCESS } from "./access-table";

const ROOT = path.resolve(import.meta.dirname, "../..");

/** Declarations of formats that outlive a request. */
const FORMATS = {
  "lib/graph/": "graph files",
  "lib/engine/workflow-state.ts": "the published state of a run",
  "lib/engine/approvals/": "views and signatures, whose digests cover their names",
  "lib/approval-rules/": "recorded rules for approvals",
  "lib/engine/ledger/": "signed statements about keys",
  "lib/engine/forks/fork-change.ts": "recorded changes of a fork",
  "lib/engine/run-limits.ts": "recorded limits of a run",
  "lib/mcp/": "recorded registry commands, and fields of MCP and OAuth",
  "lib/model-": "recorded model settings and the price list",
  "lib/outside/token-limits.ts": "recorded limits of a token",
} as const;

const SNAKE_CASE = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)+$/u;
const DEEPEST = 16;

type Field = { readonly name: string; readonly at: string; readonly declaredIn: string };

const createFieldReader = (checker: Checker) => {
  const read = (type: Type | undefined, at: string, seen: Set<number>): Field[] => {
    if (!type || seen.has(type.id) || at.split(".").length > DEEPEST) return [];
    seen.add(type.id);
    if (type.isUnionType()) return (type.getTypes() ?? []).flatMap((member) => read(member, at, seen));
    const members = type.isTypeReference() ? checker.getTypeArguments(type).flatMap((each) => read(each, at, seen)) : [];
    const isData = (type.isObjectType() || type.isIntersectionType()) && !checker.isArrayLikeType(type);
    // A library type is a container, such as a stream.
    if (!isData || members.length > 0 || checker.getSignaturesOfType(type, SignatureKind.Call).length > 0) return members;

    return [
      ...checker.getIndexInfosOfType(type).flatMap(({ valueType }) => read(valueType, `${at}.*`, seen)),
      ...checker
        .getPropertiesOfType(type)
        .flatMap((property) => [
          { name: property.name, at, declaredIn: path.relative(ROOT, property.declarations[0]?.path ?? "") },
          ...read(checker.getTypeOfSymbol(property), `${at}.${property.name}`, seen),
        ]),
    ];
  };

  return (type: Type | undefined, at: string): Field[] => read(type, at, new Set());
};

const api = new API({ cwd: ROOT });
afterAll(() => api.close());

const readProcedures = (): ReadonlyMap<string, Field[]> => {
  const [project] = api.updateSnapshot({ openProjects: [path.join(import.meta.dirname, "wire-names.tsconfig.json")] }).getProjects();
  if (!project) throw new Error("the compiler opened no project");
  const { checker, program } = project;
  const file = path.join(ROOT, "server/trpc/root.ts");
  const text = program.getSourceFile(file)?.text ?? "";
  const router = checker.getSymbolAtPosition(file, text.indexOf("appRouter = "));
  const member = (type: Type | undefined, name: string): Type | undefined => {
    const found = type && checker.getPropertyOfType(type, name);

    return found && checker.getTypeOfSymbol(found);
  };
  const readFields = createFieldReader(checker);
  const found = new Map<string, Field[]>();
  const collect = (type: Type | undefined, before: string): void => {
    for (const { name } of type ? checker.getPropertiesOfType(type) : []) {
      const each = member(type, name);
      const types = member(member(each, "_def"), "$types");
      if (types) {
        found.set(
          before + name,
          ["input", "output"].flatMap((side) => readFields(member(types, side), `${before}${name} ${side}`)),
        );
      } else collect(each, `${before}${name}.`);
    }
  };
  collect(member(member(router && checker.getTypeOfSymbol(router), "_def"), "record"), "");

  return found;
};

const procedures = readProcedures();
const snakeCase = [...procedures.values()].flat().filter(({ name }) => SNAKE_CASE.test(name));

describe("the fields of inputs and outputs", () => {
  test("are read from every procedure, at any depth", () => {
    expect([...procedures.keys()].toSorted()).toEqual(Object.keys(ACCESS).toSorted());
    const names = (procedure: string) => (procedures.get(procedure) ?? []).map(({ at, name }) => `${at}.${name}`);
    expect(names("approvals.decide")).toContain("approvals.decide input.viewDigest");
    expect(names("runs.live")).toContain("runs.live output.runId");
    expect(names("connect.sessions.list")).toContain("connect.sessions.list output.runs.ordinal");
  });

  test("are camelCase, except for those of a format", () => {
    const isFormat = (file: string): boolean => Object.keys(FORMATS).some((place) => file.startsWith(place));

    expect(snakeCase.filter(({ declaredIn }) => !isFormat(declaredIn)).map(({ at, name }) => `${at}.${name}`)).toEqual([]);
  });

  test.each(Object.keys(FORMATS))("include names of %s", (place) => {
    expect(snakeCase.some(({ declaredIn }) => declaredIn.startsWith(place))).toBe(true);
  });
});
