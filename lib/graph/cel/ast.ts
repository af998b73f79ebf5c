import type { parse } from "@bufbuild/cel";

export type Ast = ReturnType<typeof parse>["expr"];

export const childrenOf = (ast: Ast): Ast[] => {
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

export const comprehensionDepth = (ast: Ast): number =>
  Math.max(0, ...childrenOf(ast).map(comprehensionDepth)) + (ast.exprKind.case === "comprehensionExpr" ? 1 : 0);

const isMemory = (ast: Ast | undefined) => ast?.exprKind.case === "identExpr" && ast.exprKind.value.name === "memory";

export const unknownNames = (ast: Ast, known: readonly string[]): string[] => {
  const kind = ast.exprKind;
  if (kind.case === "identExpr") return known.includes(kind.value.name) ? [] : [kind.value.name];
  const inner = kind.case === "comprehensionExpr" ? [...known, kind.value.iterVar, kind.value.iterVar2, kind.value.accuVar] : known;

  return childrenOf(ast).flatMap((child) => unknownNames(child, inner));
};

/** Adds the memory keys; false: memory is used whole. */
export const collectMemoryKeys = (ast: Ast, found: Set<string>): boolean => {
  const kind = ast.exprKind;
  if (isMemory(ast)) return false;
  if (kind.case === "selectExpr" && isMemory(kind.value.operand)) {
    found.add(kind.value.field);

    return true;
  }

  return childrenOf(ast).every((child) => collectMemoryKeys(child, found));
};

const ENV = "env";

/** Adds the variables named as `env.NAME`; false: `env` is used whole. */
export const collectVariables = (ast: Ast, found: Set<string>): boolean => {
  const kind = ast.exprKind;
  const isEnv = (one: Ast | undefined) => one?.exprKind.case === "identExpr" && one.exprKind.value.name === ENV;
  if (isEnv(ast)) return false;
  if (kind.case === "selectExpr" && isEnv(kind.value.operand)) {
    found.add(kind.value.field);

    return true;
  }
  // A loop may have its own variable of this name.
  const isHidden = kind.case === "comprehensionExpr" && [kind.value.iterVar, kind.value.iterVar2].includes(ENV);
  const inner = isHidden ? [kind.value.iterRange].filter((range) => range !== undefined) : childrenOf(ast);

  return inner.every((child) => collectVariables(child, found));
};

/** `a.b` or `a["b"]`. */
const stepOf = (ast: Ast): { readonly of: Ast | undefined; readonly name: string } | null => {
  const kind = ast.exprKind;
  if (kind.case === "selectExpr") return { of: kind.value.operand, name: kind.value.field };
  if (kind.case !== "callExpr" || kind.value.function !== "_[_]") return null;
  const [of, index] = kind.value.args;
  const name = index?.exprKind.case === "constExpr" ? index.exprKind.value.constantKind : undefined;

  return name?.case === "stringValue" ? { of, name: name.value } : null;
};

export const chainOf = (ast: Ast | undefined): readonly string[] | null => {
  if (isMemory(ast)) return [];
  const step = ast && stepOf(ast);
  const above = step && chainOf(step.of);

  return step && above ? [...above, step.name] : null;
};
