/** `label(memory.a)` and `tainted(memory.a)`: the engine's record about a value. */
import { parse } from "@bufbuild/cel";
import { err, ok, type Result } from "@/lib/result";
import { chainOf, childrenOf, type Ast } from "./ast";

/** Bound to the labels; no text can name it. */
export const LABELS = "label of";

const TEMPLATES: Readonly<Record<string, string>> = { label: "labels[path]", tainted: 'labels[path].integrity == "untrusted"' };

const fill = (ast: Ast, path: string): void => {
  const kind = ast.exprKind;
  if (kind.case === "identExpr" && kind.value.name === "labels") kind.value.name = LABELS;
  else if (kind.case === "identExpr" && kind.value.name === "path") ast.exprKind = parse(JSON.stringify(path)).expr.exprKind;
  for (const child of childrenOf(ast)) fill(child, path);
};

/** Replaces the calls in place by look-ups. @returns the paths asked for, or a fault */
export const replaceLabelCalls = (ast: Ast): Result<readonly (readonly string[])[], string> => {
  const kind = ast.exprKind;
  const name = kind.case === "callExpr" && kind.value.target === undefined ? kind.value.function : "";
  const template = Object.hasOwn(TEMPLATES, name) ? TEMPLATES[name] : undefined;
  if (template !== undefined && kind.case === "callExpr") {
    const path = kind.value.args.length === 1 ? chainOf(kind.value.args[0]) : null;
    if (path === null || path.length === 0) return err(`${name}() takes one path, such as memory.order.total`);
    const filled = parse(template).expr;
    fill(filled, JSON.stringify(path));
    ast.exprKind = filled.exprKind;

    return ok([path]);
  }
  const paths: (readonly string[])[] = [];
  for (const child of childrenOf(ast)) {
    const replaced = replaceLabelCalls(child);
    if (!replaced.ok) return replaced;
    paths.push(...replaced.value);
  }

  return ok(paths);
};
