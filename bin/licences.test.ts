import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { ROOT } from "./start/settings.ts";

const allowed = new Set([
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC0-1.0",
  "ISC",
  "MIT",
  "MIT-0",
  "MPL-2.0",
  "Python-2.0",
  "Unlicense",
  "Zlib",
]);

/** Accepted without a listed licence, and why. */
const reviewed: readonly { readonly name: RegExp; readonly licence: string | null; readonly reason: string }[] = [
  { name: /^seq-queue$/u, licence: null, reason: "MIT by its LICENSE file; its package.json has no field for it" },
  {
    name: /^@modelcontextprotocol\/server-filesystem$/u,
    licence: "SEE LICENSE IN LICENSE",
    reason: "MIT or Apache-2.0 by the LICENSE of its repository, depending on the contribution",
  },
  { name: /^geist$/u, licence: "SIL OPEN FONT LICENSE", reason: "a font, embedded unchanged" },
  { name: /^caniuse-lite$/u, licence: "CC-BY-4.0", reason: "data, unchanged" },
  { name: /^elkjs$/u, licence: "EPL-2.0", reason: "a dependency of Prisma's own studio, unchanged and never loaded" },
  {
    name: /^@img\/sharp-/u,
    licence: "LGPL-3.0-or-later",
    reason: "an optional shared library of Next's image optimiser, which is off; unchanged and replaceable",
  },
  { name: /^@img\/sharp-win32-/u, licence: "Apache-2.0 AND LGPL-3.0-or-later", reason: "the same library for Windows" },
  { name: /^@img\/sharp-wasm32$/u, licence: "Apache-2.0 AND LGPL-3.0-or-later AND MIT", reason: "the same library as WebAssembly" },
];

/** All of an AND, one of an OR. */
const isAllowed = (expression: string): boolean => {
  const tokens = expression.match(/[()]|[^\s()]+/gu) ?? [];
  let at = 0;
  const term = (): boolean => {
    const token = tokens[at++];

    if (token !== "(") return token !== undefined && allowed.has(token);
    const inner = either();
    at += 1;

    return inner;
  };
  const all = (): boolean => {
    let result = term();
    while (tokens[at]?.toUpperCase() === "AND") {
      at += 1;
      result = term() && result;
    }

    return result;
  };
  const either = (): boolean => {
    let result = all();
    while (tokens[at]?.toUpperCase() === "OR") {
      at += 1;
      result = all() || result;
    }

    return result;
  };

  return either() && at === tokens.length;
};

const packageSchema = z.object({
  name: z.string().optional(),
  version: z.string(),
  license: z.string().optional(),
  dev: z.boolean().optional(),
});
const lockSchema = z.object({ packages: z.record(z.string(), packageSchema) });
const { packages } = lockSchema.parse(JSON.parse(fs.readFileSync(path.join(ROOT, "package-lock.json"), "utf8")));
const production = Object.entries(packages).flatMap(([folder, { name, version, license, dev }]) =>
  folder === "" || dev === true ? [] : [{ name: name ?? folder.split("node_modules/").at(-1) ?? "", version, licence: license ?? null }],
);

describe("licence expressions", () => {
  test.each(["MIT", "(MIT OR GPL-3.0-only)", "Apache-2.0 AND BSD-3-Clause", "MIT and ISC", "(MIT OR X) AND (ISC)"])(
    "allows %s",
    (expression) => {
      expect(isAllowed(expression)).toBe(true);
    },
  );

  test.each(["", "GPL-3.0-only", "MIT AND GPL-3.0-only", "(MIT OR ISC) AND X", "SEE LICENSE IN LICENSE", "MIT ISC"])(
    "refuses %j",
    (expression) => {
      expect(isAllowed(expression)).toBe(false);
    },
  );
});

test("every production dependency has an allowed or reviewed licence", () => {
  const offenders = production.filter(
    ({ name, licence }) => !isAllowed(licence ?? "") && !reviewed.some((entry) => entry.name.test(name) && entry.licence === licence),
  );

  expect(production.length).toBeGreaterThan(100);
  expect(offenders.map(({ name, version, licence }) => `${name}@${version}: ${licence ?? "no licence"}`)).toEqual([]);
});

test("every reviewed licence is still in use", () => {
  const unused = reviewed.filter((entry) => !production.some(({ name, licence }) => entry.name.test(name) && entry.licence === licence));

  expect(unused.map(({ name }) => name.source)).toEqual([]);
});
