/** Digests of code on disk: taken when a server is reviewed, checked again before each start. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { AppError } from "@/lib/errors";
import type { HexDigest } from "@/lib/hash";

/** A server whose package is larger than this is not something a person has reviewed. */
const MAX_FILES = 20_000;

const invalid = (detail: string): AppError => new AppError("manifest_invalid", { cause: new Error(detail) });

/** SHA-256 of a regular file. @throws AppError("manifest_invalid") when it is anything else, a symbolic link included. */
export const digestFile = async (file: string): Promise<HexDigest> => {
  const found = await lstat(file).catch(() => null);
  if (!found?.isFile()) throw invalid("not a regular file");
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);

  return hash.digest("hex");
};

/** All regular files below `root`, as `/`-separated relative paths. A link or a device could change without its digest: refused. */
const filesBelow = async (root: string): Promise<string[]> => {
  const files: string[] = [];
  const pending = [""];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    for (const entry of await readdir(path.join(root, folder), { withFileTypes: true })) {
      const relative = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) pending.push(relative);
      else if (entry.isFile()) files.push(relative);
      else throw invalid("neither a file nor a folder");
    }
    if (files.length > MAX_FILES) throw invalid("too many files");
  }

  return files.toSorted();
};

/** SHA-256 over the sorted lines `<path>\0<sha256>\n` of all files below `root`. */
export const digestTree = async (root: string): Promise<HexDigest> => {
  const hash = createHash("sha256");
  for (const file of await filesBelow(root)) hash.update(`${file}\0${await digestFile(path.join(root, file))}\n`);

  return hash.digest("hex");
};
