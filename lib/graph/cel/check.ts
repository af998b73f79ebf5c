/** Infers types of expressions from declared schemas; undeclared parts fit everything. */
import type { CelFunc, CelValue } from "@bufbuild/cel";
import type { Json } from "@/lib/json";
import { chainOf, type Ast } from "./ast";
import { env } from "./environment";
import { LABELS } from "./label-calls";
import { ANY, BOOL, constant, findMember, isNumber, nameType, ofKind, overlaps, union, type Type } from "./types";

export type Variables = Readonly<Record<string, Type>>;

export type Checked = {
  readonly type: Type;
  /** Parts that fail whatever the values are. */
  readonly faults: readonly string[];
};

const FUNCTIONS: ReadonlyMap<string, readonly CelFunc[]> = Map.groupBy(env.funcs, ({ name }) => name);

/** Not among the overloads: they take any type. */
const SPECIAL = ["_&&_", "_||_", "_?_:_", "_[_]", "@not_strictly_false"];

const EXPRESSION_NAMES: Readonly<Record<string, string>> = { "@in": "in", "-_": "-", "!_": "!" };

const shownName = (name: string): string => EXPRESSION_NAMES[name] ?? name.replaceAll("_", "");

const LABEL: Type = {
  kinds: ["map"],
  rest: null,
  members: {
    integrity: { kinds: ["string"], values: ["untrusted", "reviewed", "trusted"] },
    confidentiality: { kinds: ["string"], values: ["public", "internal", "pii", "secret"] },
    provenance: { kinds: ["list"], element: ofKind("string") },
  },
};

export const findUnknownFunction = (ast: Ast, childrenOf: (of: Ast) => Ast[]): string | null => {
  const kind = ast.exprKind;
  const name = kind.case === "callExpr" ? kind.value.function : null;
  if (name !== null && !FUNCTIONS.has(name) && !SPECIAL.includes(name)) return name;

  return childrenOf(ast).reduce<string | null>((found, child) => found ?? findUnknownFunction(child, childrenOf), null);
};

const jsonOf = (value: CelValue): Json | undefined => {
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : undefined;

  return value === null || ["string", "number", "boolean"].includes(typeof value) ? (value as Json) : undefined;
};

const CONSTANTS: Readonly<Record<string, string>> = {
  boolValue: "bool",
  int64Value: "int",
  uint64Value: "uint",
  doubleValue: "double",
  stringValue: "string",
  bytesValue: "bytes",
  nullValue: "null_type",
};

const takes = (parameter: { readonly name: string }, type: Type): boolean =>
  parameter.name === "dyn" || type.kinds === null || type.kinds.includes(parameter.name);

const resultOf = ({ result }: CelFunc): Type => (result.name === "dyn" ? ANY : ofKind(result.name));

/** Three-valued: null if both are possible. */
const truthOf = ({ kinds, values }: Type): boolean | null => {
  if (kinds !== null && !kinds.includes("bool")) return false;
  if (!values) return null;
  const isTrue = values.map((value) => value === true);

  return isTrue.every((one) => one === isTrue[0]) ? (isTrue[0] ?? null) : null;
};

const answer = (value: boolean | null): Type => (value === null ? BOOL : constant(value, "bool"));

const not = (value: boolean | null): boolean | null => (value === null ? null : !value);

const isSingle = ({ values }: Type): boolean => values?.length === 1;

const equals = (a: Type, b: Type): boolean | null => {
  if (!overlaps(a, b)) return false;

  return isSingle(a) && isSingle(b) ? true : null;
};

const numbersOf = ({ values, least = -Infinity, most = Infinity }: Type): { least: number; most: number } => {
  const numbers = (values ?? []).filter((value) => typeof value === "number");

  return numbers.length > 0 ? { least: Math.min(...numbers), most: Math.max(...numbers) } : { least, most };
};

/** False if no number of `a` is below one of `b`. */
const below = (a: Type, b: Type, orEqual: boolean): boolean | null => {
  if (!isNumber(a) || !isNumber(b)) return null;
  const [low, high] = [numbersOf(a).least, numbersOf(b).most];

  return low > high || (low === high && !orEqual) ? false : null;
};

const COMPARE: Readonly<Record<string, (a: Type, b: Type) => boolean | null>> = {
  "_==_": equals,
  "_!=_": (a, b) => not(equals(a, b)),
  "_<_": (a, b) => below(a, b, false),
  "_<=_": (a, b) => below(a, b, true),
  "_>_": (a, b) => below(b, a, false),
  "_>=_": (a, b) => below(b, a, true),
};

class Checker {
  readonly faults: string[] = [];

  #fault(message: string): Type {
    if (!this.faults.includes(message)) this.faults.push(message);

    return ANY;
  }

  #member(of: Type, name: string, from: Ast | undefined): Type {
    const place = chainOf(from);
    const shown = place ? ["memory", ...place].join(".") : "a value";
    if (of.kinds !== null && !of.kinds.includes("map")) return this.#fault(`${shown} is ${nameType(of)}, which has no members`);

    return findMember(of, name) ?? this.#fault(`${shown} has no member ${name}`);
  }

  #index(of: Type, index: Type, ast: Ast, from: Ast | undefined): Type {
    const path = chainOf(ast);
    if (path && of.kinds?.includes("list") !== true) return this.#member(of, path.at(-1) ?? "", from);
    const choices = [...(of.kinds?.includes("list") ? [of.element ?? ANY] : []), ...(of.kinds?.includes("map") ? [ANY] : [])];
    if (of.kinds !== null && choices.length === 0) return this.#fault(`${nameType(of)} cannot be indexed`);
    if (of.kinds?.length === 1 && of.kinds[0] === "list" && !isNumber(index) && index.kinds !== null) {
      return this.#fault(`a list is indexed by an integer, not by ${nameType(index)}`);
    }

    return of.kinds === null ? ANY : choices.reduce(union);
  }

  #call(name: string, types: readonly Type[], isMethod: boolean): Type {
    const overloads = (FUNCTIONS.get(name) ?? []).filter((one) => {
      const parameters = one.target ? [one.target, ...one.arguments] : one.arguments;

      return (
        (one.target !== undefined) === isMethod &&
        parameters.length === types.length &&
        parameters.every((parameter, at) => takes(parameter, types[at] ?? ANY))
      );
    });
    if (overloads.length === 0) return this.#fault(`${shownName(name)} does not take ${types.map(nameType).join(" and ")}`);
    const result = overloads.map(resultOf).reduce(union);
    if (name === "_+_" && result.kinds?.includes("list"))
      return { ...result, element: types.map(({ element }) => element ?? ANY).reduce(union) };

    return result;
  }

  #boolean(type: Type, where: string): boolean | null {
    if (type.kinds !== null && !type.kinds.includes("bool")) this.#fault(`${where} takes true or false, not ${nameType(type)}`);

    return truthOf(type);
  }

  #callExpr(ast: Ast, name: string, target: Ast | undefined, args: readonly Ast[], scope: Variables): Type {
    const [first, second, third] = args;
    const types = [...(target ? [target] : []), ...args].map((arg) => this.infer(arg, scope));
    const [a = ANY, b = ANY, c = ANY] = types;
    if (name === "_[_]") return this.#isLabels(first) ? LABEL : this.#index(a, b, ast, first);
    if (name === "@not_strictly_false") return BOOL;
    if (name === "_?_:_") {
      const test = this.#boolean(a, "?");
      if (test === null) return union(b, c);

      return test ? b : c;
    }
    if (name === "_&&_" || name === "_||_") {
      const decisive = name === "_||_";
      const sides = [this.#boolean(a, shownName(name)), this.#boolean(b, shownName(name))];
      if (sides.includes(decisive)) return answer(decisive);

      return answer(sides.includes(null) ? null : !decisive);
    }
    const result = this.#call(name, types, target !== undefined);
    if (name === "!_") return answer(not(truthOf(a)));
    if (name === "@in" && second && b.kinds?.length === 1 && b.kinds[0] === "list" && b.element && !overlaps(a, b.element))
      return answer(false);
    const compare = Object.hasOwn(COMPARE, name) ? COMPARE[name] : undefined;

    return compare && third === undefined ? answer(compare(a, b)) : result;
  }

  #isLabels(ast: Ast | undefined): boolean {
    return ast?.exprKind.case === "identExpr" && ast.exprKind.value.name === LABELS;
  }

  infer(ast: Ast, scope: Variables): Type {
    const kind = ast.exprKind;
    switch (kind.case) {
      case "constExpr": {
        const { case: name = "", value } = kind.value.constantKind;
        const type = CONSTANTS[name];
        const json = jsonOf(name === "nullValue" ? null : (value as CelValue));
        if (type === undefined) return ANY;

        return json === undefined ? ofKind(type) : constant(json, type);
      }
      case "identExpr":
        return (Object.hasOwn(scope, kind.value.name) ? scope[kind.value.name] : undefined) ?? ANY;
      case "selectExpr": {
        const { operand, field, testOnly } = kind.value;
        const member = this.#member(operand ? this.infer(operand, scope) : ANY, field, operand);

        return testOnly ? BOOL : member;
      }
      case "callExpr":
        return this.#callExpr(ast, kind.value.function, kind.value.target, kind.value.args, scope);
      case "listExpr":
        return { kinds: ["list"], element: kind.value.elements.map((one) => this.infer(one, scope)).reduce(union, { kinds: [] }) };
      case "structExpr":
        for (const { value } of kind.value.entries) if (value) this.infer(value, scope);

        return kind.value.messageName === "" ? ofKind("map") : ANY;
      case "comprehensionExpr": {
        const { iterVar, iterVar2, iterRange, accuVar, accuInit, loopStep, loopCondition, result } = kind.value;
        const range = iterRange ? this.infer(iterRange, scope) : ANY;
        if (range.kinds !== null && !range.kinds.some((one) => ["list", "map"].includes(one)))
          this.#fault(`${nameType(range)} has no items`);
        const isList = range.kinds?.length === 1 && range.kinds[0] === "list";
        const item = isList && range.element && range.element.kinds?.length !== 0 ? range.element : ANY;
        const start = accuInit ? this.infer(accuInit, scope) : ANY;
        const looping = {
          ...scope,
          [accuVar]: { kinds: start.kinds },
          [iterVar]: isList ? item : ANY,
          ...(iterVar2 === "" ? {} : { [iterVar2]: ANY }),
        };
        const step = loopStep ? this.infer(loopStep, looping) : ANY;
        if (loopCondition) this.infer(loopCondition, looping);
        const end = {
          kinds: union({ kinds: start.kinds }, { kinds: step.kinds }).kinds,
          ...(step.element ? { element: step.element } : {}),
        };

        return result ? this.infer(result, { ...scope, [accuVar]: end }) : ANY;
      }
      case undefined:
        return ANY;
      default:
        return kind satisfies never;
    }
  }
}

/** Infers an expression's type and faults; absent variables have any type. */
export const checkAst = (ast: Ast, variables: Variables): Checked => {
  const checker = new Checker();
  const type = checker.infer(ast, variables);

  return { type, faults: checker.faults };
};

/** Returns why a condition is never true, or null. */
export const explainNeverTrue = (type: Type): string | null => {
  if (type.kinds !== null && !type.kinds.includes("bool")) return `its result is ${nameType(type)}`;

  return truthOf(type) === false ? "its result is always false" : null;
};
