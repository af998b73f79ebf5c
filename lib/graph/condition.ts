/** Bounded CEL expressions with RE2; only this and `cel/` import the CEL library. */
import { oncePer } from "@/lib/once-per";
import { isCelError, parse, plan, type CelInput, type CelResult } from "@bufbuild/cel";
import type { Variables } from "@/lib/environments/variables";
import type { Label } from "@/lib/graph/label";
import { toPlainJson, type Json, type JsonObject } from "@/lib/json";
import { err, ok, type Result } from "@/lib/result";
import { childrenOf, collectMemoryKeys, collectVariables, comprehensionDepth, unknownNames, type Ast } from "./cel/ast";
import { checkAst, findUnknownFunction, type Checked } from "./cel/check";
import { env } from "./cel/environment";
import { LABELS, replaceLabelCalls } from "./cel/label-calls";
import { ANY, ofKind, typeOfSchema, union, type Type } from "./cel/types";
import { guarded, GuardedMap, passagesOf, toJson, type OnRead, type Passages } from "./cel/values";

/** `memory` reports reads to `onRead`. */
export type Scope = {
  readonly memory: JsonObject;
  readonly goal: string;
  readonly constraints: readonly string[];
  readonly run: { readonly iteration_count: number; readonly retry_count: number };
  readonly item?: Json;
  readonly event?: Json;
  readonly env?: Variables;
  readonly declared?: Declared;
  /** Label of a path; undefined: nothing is there. */
  readonly labelAt?: (path: readonly string[]) => Label | undefined;
};

/** Schemas by memory key, of `item` and of `event`. */
export type Declared = {
  readonly keys: Readonly<Record<string, JsonObject>>;
  readonly item?: JsonObject | undefined;
  readonly event?: JsonObject;
};

export type Expression = {
  readonly text: string;
  /** Memory keys in the text; null: memory as a whole. */
  readonly keys: readonly string[] | null;
  /** Paths whose labels the text asks for. */
  readonly labels: readonly (readonly string[])[];
  readonly variables: readonly string[];
  check(declared: Declared): Checked;
  /** Returns the value or why there is none. `onRead` gets each influencing path. */
  evaluate(scope: Scope, onRead: OnRead): Result<Json, string>;
};

/** Nesting is quadratic in attacker-supplied data. */
const MAX_COMPREHENSION_DEPTH = 1;
const OUTPUT = { maxBytes: 1_048_576, maxDepth: 32 };
const VARIABLES = { run: ["memory", "goal", "constraints", "run", "item", "env"], event: ["event"] } as const;
type Where = keyof typeof VARIABLES;
const COUNTERS: Type = { kinds: ["map"], members: { iteration_count: ofKind("int"), retry_count: ofKind("int") }, rest: null };

const ENV: Type = { kinds: ["map"], members: {}, rest: ["string", "double", "bool"].map(ofKind).reduce(union) };

type Program = (bindings: Record<string, CelInput>) => CelResult;

const NOTHING: Passages = { dynamic: true, ends: new Set() };

/** An item is read whole, so its label covers every read. */
const plain = (value: Json, type: Type): CelInput => guarded(value, type, [], () => undefined, NOTHING);

type Types = { readonly memory: Type; readonly item: Type; readonly event: Type };

const UNDECLARED: Types = { memory: ANY, item: ANY, event: ANY };

const typesOf = oncePer(({ keys, item, event }: Declared): Types => ({
  memory: { kinds: ["map"], members: Object.fromEntries(Object.entries(keys).map(([key, schema]) => [key, typeOfSchema(schema)])) },
  item: item ? typeOfSchema(item) : ANY,
  event: event ? typeOfSchema(event) : ANY,
}));

/** A label depends on the value's writers, so asking is a read. */
class LabelMap extends Map<string, CelInput> {
  readonly #scope: Scope;
  readonly #onRead: OnRead;

  constructor(scope: Scope, onRead: OnRead) {
    super();
    this.#scope = scope;
    this.#onRead = onRead;
  }

  override get(key: string): CelInput | undefined {
    const path = JSON.parse(key) as string[];
    this.#onRead(path);
    const label = this.#scope.labelAt?.(path);

    return label && plain({ ...label }, ANY);
  }

  override has(key: string): boolean {
    return this.get(key) !== undefined;
  }
}

type Compiled = { readonly text: string; readonly program: Program; readonly passages: Passages; readonly asksLabels: boolean };

const run = ({ text, program, passages, asksLabels }: Compiled, scope: Scope, onRead: OnRead): Result<Json, string> => {
  const { memory, item, event } = scope.declared ? typesOf(scope.declared) : UNDECLARED;
  const result = program({
    memory: new GuardedMap(scope.memory, memory, [], onRead, passages),
    goal: scope.goal,
    constraints: [...scope.constraints],
    // Most expressions name none.
    ...(asksLabels ? { [LABELS]: new LabelMap(scope, onRead) } : {}),
    ...(text.includes("run") ? { run: plain({ ...scope.run }, COUNTERS) } : {}),
    ...(text.includes("env") ? { env: plain({ ...scope.env }, ANY) } : {}),
    ...(scope.item === undefined ? {} : { item: plain(scope.item, item) }),
    ...(scope.event === undefined ? {} : { event: plain(scope.event, event) }),
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
  } catch (error) {
    return err(error instanceof RangeError ? error.message : "the expression could not be evaluated");
  }
};

const check = (ast: Ast, declared: Declared): Checked => {
  const { memory, item, event } = typesOf(declared);

  return checkAst(ast, {
    memory,
    item,
    event,
    goal: ofKind("string"),
    constraints: { kinds: ["list"], element: ofKind("string") },
    run: COUNTERS,
    env: ENV,
  });
};

const compile = (text: string, where: Where): Result<Expression, string> => {
  try {
    const parsed = parse(text);
    const { expr } = parsed;
    const unknown = unknownNames(expr, VARIABLES[where]);
    if (unknown.length > 0) return err(`there is no variable ${unknown[0] ?? ""}`);
    if (comprehensionDepth(expr) > MAX_COMPREHENSION_DEPTH) return err("a loop inside a loop is not allowed");
    const keys = new Set<string>();
    const named = collectMemoryKeys(expr, keys);
    const variables = new Set<string>();
    if (!collectVariables(expr, variables)) return err("env takes a variable's name, as in env.REGION");
    const labels = replaceLabelCalls(expr);
    if (!labels.ok) return labels;
    const missing = findUnknownFunction(expr, childrenOf);
    if (missing !== null) return err(`there is no function ${missing}`);
    const compiled: Compiled = { text, program: plan(env, parsed), passages: passagesOf(expr), asksLabels: labels.value.length > 0 };

    return ok({
      text,
      keys: named ? [...keys] : null,
      labels: labels.value,
      variables: [...variables],
      check: (declared) => check(expr, declared),
      evaluate: (scope, onRead) => safely(() => run(compiled, scope, onRead)),
    });
  } catch (error) {
    return err(error instanceof Error ? error.message : "the expression does not parse");
  }
};

/** Parsing costs more than all rules, and typing changes few expressions. */
const ofRuns = new Map<string, Result<Expression, string>>();
const ofEvents = new Map<string, Result<Expression, string>>();
const MOST_KEPT = 5_000;

/** Compiles an expression, or says why it fails. Undeclared numbers are doubles. */
export const compileExpression = (text: string, where: Where = "run"): Result<Expression, string> => {
  const kept = where === "run" ? ofRuns : ofEvents;
  const found = kept.get(text);
  if (found) return found;
  if (kept.size >= MOST_KEPT) kept.clear();
  const made = compile(text, where);
  kept.set(text, made);

  return made;
};
