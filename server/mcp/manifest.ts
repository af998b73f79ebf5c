/** From a reviewed manifest to the one file that Node will run, verified byte by byte each time. */
import { lstat, readFile, realpath } from "node:fs/promises";
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
  dependencies: z.record(z.string(), z.string()).optional(),
  peerDependencies: z.record(z.string(), z.string()).optional(),
  /** Servers that come in one file have built their SDK in. */
  devDependencies: z.record(z.string(), z.string()).optional(),
});

/** @param message one sentence for whoever registers the server; no path of this machine is in it */
const invalid = (message: string): AppError => new AppError("manifest_invalid", { message });

const SDK = /^(?:@modelcontextprotocol\/(?!inspector)|fastmcp$|mcp-framework$|mcp-handler$)/;

const parsedJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

const packageFolder = (name: string, at: Installation): string => path.join(at.root, "node_modules", ...name.split("/"));

const bundleFile = (id: string, at: Installation): string => path.join(at.home, "build", `${id}.mjs`);

/**
 * Neither the package nor a folder on the way to it is a link: what is behind one can be exchanged without a trace in what
 * was reviewed. `node_modules` itself may be, since whoever moves that moves all of us.
 */
const realPackageFolder = async (name: string, at: Installation): Promise<string> => {
  const folder = packageFolder(name, at);
  const [found, modules] = await Promise.all([folder, path.join(at.root, "node_modules")].map((each) => realpath(each).catch(() => null)));
  if (!found || !modules) throw invalid("The package is not installed here.");
  if (found !== path.join(modules, ...name.split("/"))) throw invalid("The package is installed as a link to somewhere else.");

  return found;
};

/** The file behind one of a package's bin names; never outside the package, because only the package was reviewed. */
const packageEntry = async (manifest: Extract<ManifestDraft, { source: "package" }>, at: Installation): Promise<string> => {
  const folder = await realPackageFolder(manifest.name, at);
  const text = await readFile(path.join(folder, "package.json"), "utf8").catch(() => null);
  if (text === null) throw invalid("The package is not installed here.");
  const described = packageFileSchema.safeParse(parsedJson(text));
  if (!described.success) throw invalid("The package does not describe itself.");
  const { name, version, bin, dependencies, peerDependencies, devDependencies } = described.data;
  if (name !== manifest.name) throw invalid("The package calls itself otherwise.");
  if (version !== manifest.version) throw invalid(`Installed is ${version.slice(0, 40)}, which is another version.`);
  const uses = Object.keys({ ...devDependencies, ...peerDependencies, ...dependencies });
  if (!uses.some((used) => SDK.test(used))) throw invalid("The package uses no MCP SDK, so it is no MCP server.");

  const bins = typeof bin === "string" ? { [name.split("/").at(-1) ?? name]: bin } : (bin ?? {});
  const relative = Object.hasOwn(bins, manifest.bin) ? bins[manifest.bin] : undefined;
  if (relative === undefined) throw invalid("The package has no program of that name.");
  const entry = await realpath(path.join(folder, relative)).catch(() => null);
  if (entry === null || !entry.startsWith(`${folder}${path.sep}`)) throw invalid("The program is a file outside of the package.");

  return entry;
};

/** Folders of ours that servers, or whoever sends mails, can write into. */
const WRITABLE = ["inbox", "scratch"];

/** A regular file that nobody else can write, reached over no link. */
const plainFile = async (file: string, at: Installation): Promise<string> => {
  const found = await lstat(file).catch(() => null);
  if (!found?.isFile()) throw invalid("There is no regular file under that path.");
  if ((await realpath(file)) !== file) throw invalid("A folder of that path is a link: enter where the file really is.");
  if ((found.mode & 0o002) !== 0) throw invalid("Everybody on this machine may change the file.");
  const home = await realpath(at.home);
  if (WRITABLE.some((folder) => file.startsWith(`${path.join(home, folder)}${path.sep}`)))
    throw invalid("Servers can write into that folder.");

  return file;
};

/** Takes the digest of what is installed now: the reviewed form of a draft. @throws AppError("manifest_invalid") */
export const sealManifest = async (draft: ManifestDraft, at: Installation): Promise<StdioManifest> => {
  if (draft.source === "bundled") return { ...draft, file_digest: await digestFile(bundleFile(draft.id, at)) };
  if (draft.source === "file") return { ...draft, file_digest: await digestFile(await plainFile(draft.path, at)) };
  await packageEntry(draft, at);

  return { ...draft, tree_digest: await digestTree(packageFolder(draft.name, at)) };
};

const verifiedEntry = async (manifest: StdioManifest, at: Installation): Promise<string> => {
  if (manifest.source === "package") {
    const entry = await packageEntry(manifest, at);
    if ((await digestTree(packageFolder(manifest.name, at))) !== manifest.tree_digest)
      throw invalid("The package's files are not the ones that were reviewed.");

    return entry;
  }
  const file = manifest.source === "file" ? await plainFile(manifest.path, at) : bundleFile(manifest.id, at);
  if ((await digestFile(file)) !== manifest.file_digest) throw invalid("The file is not the one that was reviewed.");

  return file;
};

const inboxOf = (text: string, { home }: Installation): string => text.replaceAll("{inbox}", path.join(home, "inbox"));

/** The values with the folder of mails where they name it. */
export const withInbox = (env: Readonly<Record<string, string>>, at: Installation): Record<string, string> =>
  Object.fromEntries(Object.entries(env).map(([name, value]) => [name, inboxOf(value, at)]));

/** What to run for a reviewed manifest. @throws AppError("manifest_invalid") when what is installed differs from what was reviewed */
export const resolveLaunch = async (manifest: StdioManifest, at: Installation): Promise<Launch> => {
  const entry = await verifiedEntry(manifest, at);
  // What a server of ours has to remember lies in a folder of its own.
  const args = manifest.source === "bundled" ? [path.join(at.home, manifest.id)] : manifest.args;

  return { entry, args: args.map((argument) => inboxOf(argument, at)) };
};
