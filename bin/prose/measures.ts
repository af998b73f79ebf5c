import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import {
  type Node,
  type SourceFile,
  isArrowFunction,
  isFunctionDeclaration,
  isVariableStatement,
  SyntaxKind,
} from "typescript/unstable/ast";
import { parseSources, readProse } from "./sources.ts";
import { VERBS } from "./verbs.ts";

/** `goal`: the ratchet stops. `more`: larger is better. */
export const MEASURES = {
  "comments: banned pronouns per 1,000 words": { goal: 0.1 },
  "strings: banned pronouns per 1,000 words": { goal: 0.1 },
  "docs: banned pronouns per 1,000 words": { goal: 0.1 },
  "comments: noun clauses with what per 1,000 words": { goal: 0.2 },
  "strings: noun clauses with what per 1,000 words": { goal: 0.2 },
  "docs: noun clauses with what per 1,000 words": { goal: 0.2 },
  "docstrings that begin with What, Who, Whether, Where (%)": { goal: 3 },
  "exported functions that begin with a verb (%)": { goal: 75, more: true },
  "words of comments": { goal: 70_000 },
  "words of explanations in docs": { goal: 12_000 },
  "commit subjects over 72 characters": { goal: 0 },
} as const satisfies Record<string, { goal: number; more?: true }>;

export type Measure = keyof typeof MEASURES;
export type Figures = Readonly<Record<Measure, number>>;

const BANNED = /\b(?:somebody|nobody|whoever|anew)\b/giu;
const WHAT_IS = /\bwhat (?:is|was|has|are|were|had)\b/giu;
const WH_DOCSTRING = /^(?:What|Who|Whoever|Whose|Whether|Where)\b/u;
const EXPLANATIONS = /^docs\/(?:architecture\.md|security\.md|holes\.md|decisions\/.+)$/u;
const MAX_SUBJECT = 72;

const round = (figure: number): number => Math.round(figure * 100) / 100;
const percent = (part: number, whole: number): number => (whole === 0 ? 0 : round((part / whole) * 100));
const wordsIn = (text: string): number => text.match(/[\p{L}\d][\p{L}\d'’-]*/gu)?.length ?? 0;

const perThousand = (texts: readonly string[], pattern: RegExp): number => {
  const words = texts.reduce((sum, text) => sum + wordsIn(text), 0);
  const hits = texts.reduce((sum, text) => sum + (text.match(pattern)?.length ?? 0), 0);

  return words === 0 ? 0 : round((hits / words) * 1_000);
};

const git = (root: string, ...args: string[]): string =>
  execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });

/** Components and HTTP handlers begin with a capital letter. */
const exportedFunctions = (file: SourceFile): string[] => {
  const isExported = (node: Node & { readonly modifiers?: readonly Node[] }) =>
    node.modifiers?.some(({ kind }) => kind === SyntaxKind.ExportKeyword) === true;
  const names = file.statements.flatMap((statement) => {
    if (isFunctionDeclaration(statement) && isExported(statement)) return [statement.name?.text ?? ""];
    if (!isVariableStatement(statement) || !isExported(statement)) return [];

    return statement.declarationList.declarations.flatMap(({ name, initializer }) =>
      initializer && isArrowFunction(initializer) ? [name.getText(file)] : [],
    );
  });

  return names.filter((name) => /^[a-z]/u.test(name));
};

const startsWithVerb = (name: string): boolean => VERBS.has(/^[a-z]+/u.exec(name)?.[0] ?? "");

/** Without code, link addresses and table rules. */
const proseOfMarkdown = (text: string): string =>
  text
    .replaceAll(/^```[\s\S]*?^```/gmu, "")
    .replaceAll(/`[^`\n]*`/gu, "")
    .replaceAll(/\]\([^)]*\)/gu, "]");

const longSubjects = (root: string, base: string): number => {
  try {
    return git(root, "log", "--no-merges", "--format=%s", `${base}..HEAD`)
      .split("\n")
      .filter((subject) => subject.length > MAX_SUBJECT).length;
  } catch {
    // A shallow clone lacks these commits.
    return 0;
  }
};

const trackedMarkdown = (root: string): string[] =>
  fs
    .globSync(["*.md", "docs/**/*.md"], { cwd: root })
    .filter((name) => name !== "CHANGELOG.md" && !name.startsWith(path.join("docs", "reference")));

/** @param base commit before the measured subjects */
export const measure = (root: string, base: string): Figures => {
  const sources = parseSources("bin/prose/syntax.tsconfig.json", root, (files) =>
    [...files].map(([name, file]) => ({ ...readProse(file), functions: /\.test\.tsx?$/u.test(name) ? [] : exportedFunctions(file) })),
  );
  const comments = sources.flatMap((source) => source.comments);
  const docstrings = sources.flatMap((source) => source.docstrings);
  const functions = sources.flatMap((source) => source.functions);
  // Others are names or codes.
  const strings = sources.flatMap((source) => source.strings).filter((text) => /\S\s\S/u.test(text));
  const pages = trackedMarkdown(root).map((name) => ({ name, text: proseOfMarkdown(fs.readFileSync(path.join(root, name), "utf8")) }));
  const docs = pages.map(({ text }) => text);

  return {
    "comments: banned pronouns per 1,000 words": perThousand(comments, BANNED),
    "strings: banned pronouns per 1,000 words": perThousand(strings, BANNED),
    "docs: banned pronouns per 1,000 words": perThousand(docs, BANNED),
    "comments: noun clauses with what per 1,000 words": perThousand(comments, WHAT_IS),
    "strings: noun clauses with what per 1,000 words": perThousand(strings, WHAT_IS),
    "docs: noun clauses with what per 1,000 words": perThousand(docs, WHAT_IS),
    "docstrings that begin with What, Who, Whether, Where (%)": percent(
      docstrings.filter((text) => WH_DOCSTRING.test(text)).length,
      docstrings.length,
    ),
    "exported functions that begin with a verb (%)": percent(functions.filter(startsWithVerb).length, functions.length),
    "words of comments": comments.reduce((sum, text) => sum + wordsIn(text), 0),
    "words of explanations in docs": pages.filter(({ name }) => EXPLANATIONS.test(name)).reduce((sum, { text }) => sum + wordsIn(text), 0),
    "commit subjects over 72 characters": longSubjects(root, base),
  };
};
