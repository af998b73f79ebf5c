import { type Node, type SourceFile, isObjectLiteralExpression, isStringLiteral } from "typescript/unstable/ast";
import { readDocstring, walk } from "@/bin/prose/sources";
import { FIELD_TEXTS } from "./field-texts";

type Literal = { readonly fields: ReadonlyMap<string, string> };

const fieldsOf = (node: Node, file: SourceFile): ReadonlyMap<string, string> => {
  const fields = new Map<string, string>();
  node.forEachChild((member) => {
    const { name } = member as Node & { readonly name?: Node };
    if (name) fields.set(isStringLiteral(name) ? name.text : name.getText(file), readDocstring(member, file));
  });

  return fields;
};

/** `siblings`: all fields of the object. */
export type DescribeField = (name: string, siblings: readonly string[]) => string;

/** The largest literal that fits is the object. */
export const readFieldComments = (files: Iterable<SourceFile>): DescribeField => {
  const literals: Literal[] = [];
  for (const file of files) {
    walk(file, (node) => {
      if (!isObjectLiteralExpression(node)) return;
      const fields = fieldsOf(node, file);
      if ([...fields.values()].some((comment) => comment !== "")) literals.push({ fields });
    });
  }
  const bySize = literals.toSorted((a, b) => b.fields.size - a.fields.size);

  return (name, siblings) => {
    const known = new Set(siblings);
    const found = bySize.find(({ fields }) => fields.has(name) && [...fields.keys()].every((field) => known.has(field)));

    return found?.fields.get(name) || (FIELD_TEXTS[name] ?? "");
  };
};

/** Metrics have no labels before first use. */
export const readMetricLabels = (file: SourceFile): ReadonlyMap<string, readonly string[]> => {
  const labels = new Map<string, readonly string[]>();
  walk(file, (node) => {
    if (!isStringLiteral(node) || !/^[a-z_]+$/u.test(node.text)) return;
    const parent = isObjectLiteralExpression(node.parent.parent) ? node.parent.parent : node.parent;
    const list = /\[\s*("[a-z]+"(?:,\s*"[a-z]+")*),?\s*\]/u.exec(parent.getText(file))?.[1];
    if (list !== undefined)
      labels.set(
        node.text.replace(/^countersign_/u, ""),
        list.split(/,\s*/u).map((word) => word.slice(1, -1)),
      );
  });

  return labels;
};
