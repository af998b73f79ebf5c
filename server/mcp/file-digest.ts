import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { lstat, readdir, readlink, realpath } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { AppError } from "@/lib/errors";
import type { HexDigest } from "@/lib/hash";

/** No person reviews more. */
const MAX_FILES = 20_000;

const invalid = (detail: string): AppError => new AppError("manifest_invalid", { cause: new Error(detail) });

/** SHA-256 of a regular file, not of links. @throws AppError("manifest_invalid") */
export const digestFile = async (file: string): Promise<HexDigest> => {
  const found = await lstat(file).catch(() => null);
  if (!found?.isFile()) throw invalid("not a regular file");
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);

  return hash.digest("hex");
};

type Found = { readonly path: string; readonly isLink: boolean };

/** Devices change without their digest. */
const filesBelow = async (root: string): Promise<readonly Found[]> => {
  const found: Found[] = [];
  const pending = [""];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    for (const entry of await readdir(path.join(root, folder), { withFileTypes: true })) {
      const relative = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) pending.push(relative);
      else if (entry.isFile() || entry.isSymbolicLink()) found.push({ path: relative, isLink: entry.isSymbolicLink() });
      else throw invalid("neither a file, a link nor a folder");
    }
    if (found.length > MAX_FILES) throw invalid("too many files");
  }

  return found.toSorted((one, other) => (one.path < other.path ? -1 : 1));
};

/** A target outside `root` could change without the digest. */
const digestLink = async (root: string, link: string): Promise<string> => {
  const target = await realpath(path.join(root, link)).catch(() => null);
  if (target === null || !target.startsWith(`${root}${path.sep}`)) throw invalid("a link leads out of the folder");

  return `-> ${await readlink(path.join(root, link))}`;
};

/** SHA-256 over sorted lines of `<path>\0<sha256 or link target>`. */
export const digestTree = async (folder: string): Promise<HexDigest> => {
  const root = await realpath(folder).catch(() => null);
  if (root === null) throw invalid("there is no such folder");
  const hash = createHash("sha256");
  for (const { path: file, isLink } of await filesBelow(root)) {
    hash.update(`${file}\0${await (isLink ? digestLink(root, file) : digestFile(path.join(root, file)))}\n`);
  }

  return hash.digest("hex");
};
