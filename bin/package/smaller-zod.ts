/** Leaves out what the verifier never calls: half of its size. */
import fs from "node:fs";
import type { Plugin } from "esbuild";

const JSON_SCHEMA = /[\\/]zod[\\/]v4[\\/]core[\\/](?:json-schema-processors|to-json-schema)\.js$/;

const namesIn = (text: string): readonly string[] =>
  [...text.matchAll(/^export (?:const|function|class) (?<name>\w+)/gmu)].flatMap(({ groups }) => groups?.["name"] ?? []);

export const smallerZod: Plugin = {
  name: "smaller-zod",
  setup: (bundle) => {
    // esbuild drops unused members of an imported namespace, but not of the object `z`.
    bundle.onLoad({ filter: /[\\/]lib[\\/].*\.ts$/ }, ({ path: file }) => ({
      contents: fs.readFileSync(file, "utf8").replace('import { z } from "zod";', 'import * as z from "zod";'),
      loader: "ts",
    }));
    // Every schema can print itself as JSON Schema.
    bundle.onLoad({ filter: JSON_SCHEMA }, ({ path: file }) => ({
      contents: namesIn(fs.readFileSync(file, "utf8"))
        .map((name) => `export const ${name} = () => undefined;`)
        .join("\n"),
      loader: "js",
    }));
  },
};
