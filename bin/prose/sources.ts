import path from "node:path";
import { API } from "typescript/unstable/sync";
import {
  type Node,
  type SourceFile,
  forEachLeadingCommentRange,
  isImportDeclaration,
  isExportDeclaration,
  isJsxText,
  isRegularExpressionLiteral,
  isStringLiteral,
  isTemplateLiteralToken,
} from "typescript/unstable/ast";

/** @param config resolves no imports, which keeps parsing fast */
export const parseSources = <T>(config: string, root: string, read: (files: ReadonlyMap<string, SourceFile>) => T): T => {
  const api = new API({ cwd: root });

  try {
    const program = api.updateSnapshot({ openProject: path.join(root, config) }).getProjects()[0]?.program;
    const names = program?.getSourceFileNames() ?? [];
    const files = names.flatMap((name) => {
      const file = program?.getSourceFile(name);

      return file ? [[path.relative(root, name), file] as const] : [];
    });

    return read(new Map(files));
  } finally {
    api.close();
  }
};

/** Visits descendants, parents first. */
export const walk = (node: Node, visit: (node: Node) => void): void => {
  visit(node);
  node.forEachChild((child) => walk(child, visit));
};

type Span = { readonly from: number; readonly to: number };
export type Prose = { readonly comments: readonly string[]; readonly docstrings: readonly string[]; readonly strings: readonly string[] };

const COMMENT = /\/\*[\s\S]*?\*\/|\/\/[^\n]*/gu;
/** Others' words, which stay as they are. */
const LICENCE = /COPYRIGHT AND PERMISSION NOTICE/u;

const textOfComment = (comment: string): string =>
  comment
    .replaceAll(/^\/\*+|\*\/$|^\/\//gu, "")
    .replaceAll(/^\s*\*/gmu, "")
    .trim();

/** Reads comments and strings, without module names. */
export const readProse = (file: SourceFile): Prose => {
  const literals: Span[] = [];
  const strings: string[] = [];
  walk(file, (node) => {
    if (!isStringLiteral(node) && !isTemplateLiteralToken(node) && !isJsxText(node) && !isRegularExpressionLiteral(node)) return;
    literals.push({ from: node.getStart(file), to: node.end });
    const isModule = isImportDeclaration(node.parent) || isExportDeclaration(node.parent);
    if (!isModule && !isRegularExpressionLiteral(node)) strings.push(node.text);
  });
  const blank = literals.reduce(
    (text, { from, to }) => text.slice(0, from) + text.slice(from, to).replaceAll(/[^\n]/gu, " ") + text.slice(to),
    file.text,
  );
  const found = (blank.match(COMMENT) ?? []).filter((comment) => !LICENCE.test(comment));

  return {
    comments: found.map(textOfComment),
    docstrings: found.filter((comment) => comment.startsWith("/**")).map(textOfComment),
    strings,
  };
};

/** Returns the docstring before a node; empty: none. */
export const readDocstring = (node: Node, file: SourceFile): string => {
  let found = "";
  forEachLeadingCommentRange(file.text, node.pos, (from, to) => {
    const comment = file.text.slice(from, to);
    if (comment.startsWith("/**")) found = textOfComment(comment).replaceAll(/\s+/gu, " ");
  });

  return found;
};
