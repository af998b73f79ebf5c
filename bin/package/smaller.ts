/** Leaves out what the verifier never uses: half of its size. */
import fs from "node:fs";
import type { Plugin } from "esbuild";

const JSON_SCHEMA = /[\\/]zod[\\/]v4[\\/]core[\\/](?:json-schema-processors|to-json-schema)\.js$/;

const namesIn = (text: string): readonly string[] =>
  [...text.matchAll(/^export (?:const|function|class) (?<name>\w+)/gmu)].flatMap(({ groups }) => groups?.["name"] ?? []);

const withoutBodies = (source: string): string =>
  namesIn(source)
    .map((name) => `export const ${name} = () => undefined;`)
    .join("\n");

/** Texts of forms, pages and messages, which verification never compares. */
const TEXT = /\b(about|description|detail|hint|message|noun|placeholder|section|title|widget):\s*(?:"(?:[^"\\]|\\.)*"|`[^`]*`)/gu;

/** Values of new fields. */
const INITIAL = /\binitial: \([^)]*\) => (?:"(?:[^"\\]|\\.)*"|`[^`]*`|\w+)(?=,| \})/gu;

/** Names of a field's choices, what refusals say, and sentences about links. */
const CHOICES = /\bchoices:\s*\{[^{}]*\}/gu;
const REFUSAL = /\{\s*message: "",\s*retry: (?:true|false),?\s*\}/gu;
const LINK = /\bdescribe: \([^)]*\) => `[^`]*`/gu;

/** Members of events that only pages call. */
const SAID = /^( +)(line|tags|compared): \([^\n]*\) => (?:[^\n]*[({[]\n(?:\1 [^\n]*\n)+\1[)}\]]+|[^\n]*[)\]]),$/gmu;
const isBalanced = (text: string): boolean => text.split("(").length === text.split(")").length;

/** Verification parses a kind's config and asks for its work. */
const KIND = /(?<=^export const \w+ = defineKind\(\{\n)[\s\S]*?(?=\n\}\);$)/mu;
const withoutAnalysis = (source: string): string =>
  source.replace(KIND, (members) =>
    members
      .split(/\n(?= {2}\S)/u)
      .filter((member) => /^ {2}(?:config|work)\b/u.test(member))
      .join("\n"),
  );

const withoutTexts = (source: string): string =>
  withoutAnalysis(source)
    .replaceAll(TEXT, '$1: ""')
    .replaceAll(REFUSAL, "0")
    .replaceAll(INITIAL, "initial: 0")
    .replaceAll(CHOICES, "choices: {}")
    .replaceAll(LINK, 'describe: () => ""')
    .replaceAll(SAID, (said, _indent, name: string) => (isBalanced(said) ? `${name}: () => [],` : said));

const COMPILER = /const generateFastpass = [\s\S]*?(?=let fastpass;)/u;
const COMPILES = /if \(jit && fastEnabled[\s\S]*?(?=return superParse)/u;

const withoutCompiler = (source: string): string => {
  if (!COMPILER.test(source) || !COMPILES.test(source)) throw new Error("zod compiles schemas elsewhere");

  return source.replace(COMPILER, "").replace(COMPILES, "");
};

export const smaller: Plugin = {
  name: "smaller",
  setup: (bundle) => {
    // esbuild drops unused members of an imported namespace, but not of the object `z`.
    bundle.onLoad({ filter: /[\\/]lib[\\/].*\.ts$/ }, ({ path: file }) => ({
      contents: withoutTexts(fs.readFileSync(file, "utf8").replace('import { z } from "zod";', 'import * as z from "zod";')),
      loader: "ts",
    }));
    // Pages that forbid `eval` interpret schemas anyway.
    bundle.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]core[\\/]schemas\.js$/ }, ({ path: file }) => ({
      contents: withoutCompiler(fs.readFileSync(file, "utf8")),
      loader: "js",
    }));
    // The locale words faults of schemas.
    bundle.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]en\.js$/ }, () => ({
      contents: "export default () => ({ localeError: () => undefined });",
      loader: "js",
    }));
    // Parsed JSON refers to nothing twice, so no cycle has to be remembered.
    bundle.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]core[\\/]memoizer\.js$/ }, ({ path: file }) => ({
      contents: withoutBodies(fs.readFileSync(file, "utf8")),
      loader: "js",
    }));
    // Every schema can print itself as JSON Schema.
    bundle.onLoad({ filter: JSON_SCHEMA }, ({ path: file }) => ({
      contents: withoutBodies(fs.readFileSync(file, "utf8")),
      loader: "js",
    }));
  },
};
