import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";

const sources = ["app", "components", "lib", "public", "server", "prisma/schema.prisma"];
const files = [
  "package-lock.json",
  "package.json",
  "tsconfig.json",
  "next.config.ts",
  "postcss.config.mjs",
  "proxy.ts",
  "instrumentation.ts",
];

const isSource = (name: string): boolean => !/\.test\.tsx?$/u.test(name) && !name.includes(`server${path.sep}db${path.sep}generated`);

const listSources = (root: string, more: readonly string[] = []): readonly string[] => {
  const found = [...sources, ...more].flatMap((source) => {
    const full = path.join(root, source);

    if (!fs.existsSync(full)) return [];
    if (fs.statSync(full).isFile()) return [full];

    return fs
      .readdirSync(full, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name));
  });

  return [...found, ...files.map((file) => path.join(root, file)).filter((file) => fs.existsSync(file))].filter(isSource).toSorted();
};

/** Digest of everything that a build reads. */
export const digestOfSources = (root: string): string => {
  const hash = createHash("sha256");

  for (const file of listSources(root)) {
    const content = fs.readFileSync(file);

    hash.update(`${path.relative(root, file)} ${content.length}\n`).update(content);
  }

  return hash.digest("hex");
};

/** Changes with every write to a build's sources, without the digest's fifth of a second per command. @param more folders */
export const fingerprintSources = (root: string, more: readonly string[] = []): string => {
  const hash = createHash("sha256");

  for (const file of listSources(root, more)) {
    const { ino, size, mtimeMs, ctimeMs } = fs.statSync(file);

    hash.update(`${path.relative(root, file)} ${ino} ${size} ${mtimeMs} ${ctimeMs}\n`);
  }

  return hash.digest("hex");
};

export const isFresh = (stampFile: string, digest: string): boolean =>
  fs.existsSync(stampFile) && fs.readFileSync(stampFile, "utf8") === digest;
