/** Bounded CEL expressions with RE2; sole importer of the CEL library. */
import { celEnv, isCelError, isCelList, isCelMap, isCelUint, parse, plan, type CelInput, type CelResult } from "@bufbuild/cel";
import { isJsonObject, toPlainJson, type Json, type JsonObject } from "@/lib/json";
import { err, ok, type Result } from "@/lib/result";

type Ast = ReturnType<typeof parse>["expr"];

/** `memory` reports reads to `onRead`. */
export type Scope = {
  readonly memory: JsonObject;
  readonly goal: string;
  readonly constraints: readonly string[];
  readonly run: { readonly iteration_count: number; readonly retry_count: number };
  /** Map item or scored candidate; absent elsewhere. */
  readonly item?: Json;
};

export type Expression = {
  readonly text: string;
  /** Memory keys in the text; null: memory as a whole. */
  readonly keys: readonly string[] | null;
  /** Returns the value or why there is none. `onRead` gets each path that may have influenced it. */
  evaluate(scope: Scope, onRead: (path: readonly string[]) => void): Result<Json, string>;
};

/** Nesting is quadratic in attacker-supplied data. */
const MAX_COMPREHENSION_DEPTH = 1;
const OUTPUT = { maxBytes: 1_048_576, maxDepth: 32 };
const VARIABLES = ["memory", "goal", "constraints", "run", "item"];

const env = celEnv();

const childrenOf = (ast: Ast): Ast[] => {
  const kind = ast.exprKind;
  const present = (children: (Ast | undefined)[]) => children.filter((child) => child !== undefined);
  switch (kind.case) {
    case "selectExpr":
      return present([kind.value.operand]);
    case "callExpr":
      return present([kind.value.target, ...kind.value.args]);
    case "listExpr":
      return kind.value.elements;
    case "structExpr":
      return kind.value.entries.flatMap((entry) =>
        present([entry.value, entry.keyKind.case === "mapKey" ? entry.keyKind.value : undefined]),
      );
    case "comprehensionExpr":
      return present([kind.value.iterRange, kind.value.accuInit, kind.value.loopCondition, kind.value.loopStep, kind.value.result]);
    case "constExpr":
    case "identExpr":
    case undefined:
      return [];
    default:
      return kind satisfies never;
  }
};

const comprehensionDepth = (ast: Ast): number =>
  Math.max(0, ...childrenOf(ast).map(comprehensionDepth)) + (ast.exprKind.case === "comprehensionExpr" ? 1 : 0);

const isMemory = (ast: Ast | undefined) => ast?.exprKind.case === "identExpr" && ast.exprKind.value.name === "memory";

const unknownNames = (ast: Ast, known: readonly string[]): string[] => {
  const kind = ast.exprKind;
  if (kind.case === "identExpr") return known.includes(kind.value.name) ? [] : [kind.value.name];
  const inner = kind.case === "comprehensionExpr" ? [...known, kind.value.iterVar, kind.value.iterVar2, kind.value.accuVar] : known;

  return childrenOf(ast).flatMap((child) => unknownNames(child, inner));
};

const memoryKeys = (ast: Ast, found: Set<string>): boolean => {
  const kind = ast.exprKind;
  if (isMemory(ast)) return false;
  if (kind.case === "selectExpr" && isMemory(kind.value.operand)) {
    found.add(kind.value.field);

    return true;
  }

  return childrenOf(ast).every((child) => memoryKeys(child, found));
};

type OnRead = (path: readonly string[]) => void;

/** Paths only passed through, which are not reads. */
type Passages = { readonly dynamic: boolean; readonly ends: ReadonlySet<string> };

const keyOf = (path: readonly string[]) => JSON.stringify(path);

/** `a.b` or `a["b"]`. */
const stepOf = (ast: Ast): { readonly of: Ast | undefined; readonly name: string } | null => {
  const kind = ast.exprKind;
  if (kind.case === "selectExpr") return { of: kind.value.operand, name: kind.value.field };
  if (kind.case !== "callExpr" || kind.value.function !== "_[_]") return null;
  const [of, index] = kind.value.args;
  const name = index?.exprKind.case === "constExpr" ? index.exprKind.value.constantKind : undefined;

  return name?.case === "stringValue" ? { of, name: name.value } : null;
};

const chainOf = (ast: Ast | undefined): readonly string[] | null => {
  if (isMemory(ast)) return [];
  const step = ast && stepOf(ast);
  const above = step && chainOf(step.of);

  return step && above ? [...above, step.name] : null;
};

/** `memory[x]` is dynamic too. */
const passagesOf = (ast: Ast): Passages => {
  const chain = chainOf(ast);
  if (chain) return { dynamic: chain.length === 0, ends: new Set([keyOf(chain)]) };
  const inner = childrenOf(ast).map(passagesOf);

  return { dynamic: inner.some((part) => part.dynamic), ends: new Set(inner.flatMap((part) => [...part.ends])) };
};

class GuardedMap extends Map<string, CelInput> {
  readonly #path: readonly string[];
  readonly #onRead: OnRead;
  readonly #passages: Passages;

  constructor(value: JsonObject, path: readonly string[], onRead: OnRead, passages: Passages) {
    super(Object.entries(value).map(([key, item]) => [key, guarded(item, [...path, key], onRead, passages)]));
    this.#path = path;
    this.#onRead = onRead;
    this.#passages = passages;
  }

  override get(key: string): CelInput | undefined {
    const value = super.get(key);
    const path = [...this.#path, key];
    // That a value is a map is a read, unless the text goes on to a member.
    const passing = value instanceof GuardedMap && !this.#passages.dynamic && !this.#passages.ends.has(keyOf(path));
    if (!passing) this.#onRead(path);

    return value;
  }

  override has(key: string): boolean {
    this.#onRead([...this.#path, key]);

    return super.has(key);
  }

  override get size(): number {
    // The base constructor may call this before the fields exist.
    if (#onRead in this) this.#onRead(this.#path);

    return super.size;
  }

  override entries(): MapIterator<[string, CelInput]> {
    this.#onRead(this.#path);

    return super.entries();
  }

  override keys(): MapIterator<string> {
    this.#onRead(this.#path);

    return super.keys();
  }

  override values(): MapIterator<CelInput> {
    this.#onRead(this.#path);

    return super.values();
  }

  override forEach(callback: (value: CelInput, key: string, map: Map<string, CelInput>) => void): void {
    this.#onRead(this.#path);
    super.forEach(callback);
  }

  override [Symbol.iterator](): MapIterator<[string, CelInput]> {
    return this.entries();
  }
}

/** A list is read as a whole. */
const guarded = (value: Json, path: readonly string[], onRead: OnRead, passages: Passages): CelInput => {
  if (isJsonObject(value)) return new GuardedMap(value, path, onRead, passages);

  return Array.isArray(value) ? value.map((item: Json) => guarded(item, path, () => onRead(path), passages)) : value;
};

const toJson = (value: unknown): unknown => {
  if (typeof value === "bigint") return Number(value);
  if (isCelUint(value)) return Number(value.value);
  if (isCelList(value)) return [...value].map(toJson);
  if (isCelMap(value))
    return Object.fromEntries([...value].map(([key, item]) => [typeof key === "object" ? String(key.value) : String(key), toJson(item)]));

  return value;
};

type Program = (bindings: Record<string, CelInput>) => CelResult;

const NOTHING: Passages = { dynamic: true, ends: new Set() };

/** An item is read whole, so its label covers every read. */
const plain = (item: Json): CelInput => guarded(item, [], () => undefined, NOTHING);

const run = (program: Program, passages: Passages, scope: Scope, onRead: OnRead): Result<Json, string> => {
  const result = program({
    memory: new GuardedMap(scope.memory, [], onRead, passages),
    goal: scope.goal,
    constraints: [...scope.constraints],
    run: new Map(Object.entries(scope.run)),
    ...(scope.item === undefined ? {} : { item: plain(scope.item) }),
  });
  // CEL errors are truthy values.
  if (isCelError(result)) return err(result.message);
  const json = toPlainJson(toJson(result), OUTPUT);

  return json.ok ? json : err(json.error);
};

/** A fault in the library fails only the expression. */
const safely = (evaluate: () => Result<Json, string>): Result<Json, string> => {
  try {
    return evaluate();
  } catch {
    return err("the expression could not be evaluated");
  }
};

const compile = (text: string): Result<Expression, string> => {
  try {
    const parsed = parse(text);
    const unknown = unknownNames(parsed.expr, VARIABLES);
    if (unknown.length > 0) return err(`there is no variable ${unknown[0] ?? ""}`);
    if (comprehensionDepth(parsed.expr) > MAX_COMPREHENSION_DEPTH) return err("a loop inside a loop is not allowed");
    const program = plan(env, parsed);
    const passages = passagesOf(parsed.expr);
    const keys = new Set<string>();
    const named = memoryKeys(parsed.expr, keys);

    return ok({ text, keys: named ? [...keys] : null, evaluate: (scope, onRead) => safely(() => run(program, passages, scope, onRead)) });
  } catch (error) {
    return err(error instanceof Error ? error.message : "the expression does not parse");
  }
};

/** Parsing costs more than all rules, and typing changes few expressions. */
const compiled = new Map<string, Result<Expression, string>>();
const MOST_KEPT = 5_000;

/** Compiles an expression, or says why it fails; numbers from memory are doubles. */
export const compileExpression = (text: string): Result<Expression, string> => {
  const found = compiled.get(text);
  if (found) return found;
  if (compiled.size >= MOST_KEPT) compiled.clear();
  const made = compile(text);
  compiled.set(text, made);

  return made;
};
