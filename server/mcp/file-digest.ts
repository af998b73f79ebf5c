import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { lstat, readdir, readlink, realpath } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { AppError } from "@/lib/errors";
import type { HexDigest } from "@/lib/hash";

/** mongodb-mcp-server 3 installs 22,897. */
const MAX_FILES = 60_000;
const MAX_BYTES = 2 * 1_073_741_824;
/** Open files at once. */
const CONCURRENCY = 16;

const invalid = (detail: string): AppError => new AppError("manifest_invalid", { cause: new Error(detail) });
const tooLarge = (what: string): AppError => new AppError("manifest_invalid", { message: `The program's folder has more than ${what}.` });

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
    if (found.length > MAX_FILES) throw tooLarge(`${MAX_FILES} files`);
  }

  return found.toSorted((one, other) => (one.path < other.path ? -1 : 1));
};

/** A target outside `root` could change without the digest. */
const digestLink = async (root: string, link: string): Promise<string> => {
  const target = await realpath(path.join(root, link)).catch(() => null);
  if (target === null || !target.startsWith(`${root}${path.sep}`))
    throw new AppError("manifest_invalid", { message: `The link ${link.slice(0, 200)} leads out of the program's folder.` });

  return `-> ${await readlink(path.join(root, link))}`;
};

/** Returns SHA-256 or link target by path, sorted. @throws AppError("manifest_invalid") */
export const digestFiles = async (folder: string): Promise<ReadonlyMap<string, string>> => {
  const root = await realpath(folder).catch(() => null);
  if (root === null) throw invalid("there is no such folder");
  const files = await filesBelow(root);
  const digests: string[] = [];
  let bytes = 0;
  for (let start = 0; start < files.length; start += CONCURRENCY) {
    const part = files.slice(start, start + CONCURRENCY);
    const sizes = await Promise.all(part.map(({ path: file }) => lstat(path.join(root, file))));
    bytes += sizes.reduce((sum, { size }) => sum + size, 0);
    if (bytes > MAX_BYTES) throw tooLarge("2 GiB");
    digests.push(
      ...(await Promise.all(part.map(({ path: file, isLink }) => (isLink ? digestLink(root, file) : digestFile(path.join(root, file)))))),
    );
  }

  return new Map(files.map(({ path: file }, index) => [file, digests[index] ?? ""]));
};

/** SHA-256 over sorted lines of `<path>\0<sha256 or link target>`. */
export const digestTree = async (folder: string): Promise<HexDigest> => {
  const hash = createHash("sha256");
  for (const [file, digest] of await digestFiles(folder)) hash.update(`${file}\0${digest}\n`);

  return hash.digest("hex");
};
