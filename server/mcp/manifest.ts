/** From a reviewed manifest to the one file that Node will run, verified byte by byte each time. */
import { readFile, realpath } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { AppError } from "@/lib/errors";
import type { ManifestDraft, StdioManifest } from "@/lib/mcp/transport";
import { digestFile, digestTree } from "./file-digest";

/** Folders of this installation: COUNTERSIGN_HOME and where `node_modules` is. */
export type Installation = { readonly home: string; readonly root: string };

/** `entry` is run as `node <entry> <args>`; there is nothing else to choose. */
export type Launch = { readonly entry: string; readonly args: readonly string[] };

const packageFileSchema = z.object({
  name: z.string(),
  version: z.string(),
  bin: z.union([z.string(), z.record(z.string(), z.string())]).optional(),
});

const invalid = (detail: string): AppError => new AppError("manifest_invalid", { cause: new Error(detail) });

const packageFolder = (name: string, at: Installation): string => path.join(at.root, "node_modules", ...name.split("/"));

const bundleFile = (id: string, at: Installation): string => path.join(at.home, "build", `${id}.mjs`);

/** The file behind one of a package's bin names; never outside the package, because only the package was reviewed. */
const packageEntry = async (manifest: Extract<ManifestDraft, { source: "package" }>, at: Installation): Promise<string> => {
  const folder = packageFolder(manifest.name, at);
  const text = await readFile(path.join(folder, "package.json"), "utf8").catch(() => null);
  if (text === null) throw invalid("not installed");
  const described = packageFileSchema.safeParse(JSON.parse(text));
  if (!described.success) throw invalid("package.json");
  const { name, version, bin } = described.data;
  if (name !== manifest.name || version !== manifest.version) throw invalid("another version is installed");

  const bins = typeof bin === "string" ? { [name.split("/").at(-1) ?? name]: bin } : (bin ?? {});
  const relative = Object.hasOwn(bins, manifest.bin) ? bins[manifest.bin] : undefined;
  if (relative === undefined) throw invalid("no such bin");
  const entry = await realpath(path.join(folder, relative)).catch(() => null);
  if (entry === null || !entry.startsWith(`${await realpath(folder)}${path.sep}`)) throw invalid("entry outside of the package");

  return entry;
};

/** Takes the digest of what is installed now: the reviewed form of a draft. @throws AppError("manifest_invalid") */
export const sealManifest = async (draft: ManifestDraft, at: Installation): Promise<StdioManifest> => {
  if (draft.source === "bundled") return { ...draft, file_digest: await digestFile(bundleFile(draft.id, at)) };
  if (draft.source === "file") return { ...draft, file_digest: await digestFile(draft.path) };
  await packageEntry(draft, at);

  return { ...draft, tree_digest: await digestTree(packageFolder(draft.name, at)) };
};

const verifiedEntry = async (manifest: StdioManifest, at: Installation): Promise<string> => {
  if (manifest.source === "package") {
    const entry = await packageEntry(manifest, at);
    if ((await digestTree(packageFolder(manifest.name, at))) !== manifest.tree_digest) throw invalid("tree digest");

    return entry;
  }
  const file = manifest.source === "file" ? manifest.path : bundleFile(manifest.id, at);
  if ((await digestFile(file)) !== manifest.file_digest) throw invalid("file digest");

  return file;
};

/** What to run for a reviewed manifest. @throws AppError("manifest_invalid") when what is installed differs from what was reviewed */
export const resolveLaunch = async (manifest: StdioManifest, at: Installation): Promise<Launch> => {
  const entry = await verifiedEntry(manifest, at);
  // What a server of ours has to remember lies in a folder of its own.
  const args = manifest.source === "bundled" ? [path.join(at.home, manifest.id)] : manifest.args;

  return { entry, args: args.map((argument) => argument.replaceAll("{inbox}", path.join(at.home, "inbox"))) };
};
