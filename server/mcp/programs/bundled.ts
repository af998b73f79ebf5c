/** The servers that come with Countersign, as entries that are always offered. */
import path from "node:path";
import type { BundledProgram, Program } from "@/lib/mcp/program";
import { digestFile, digestTree } from "@/server/mcp/file-digest";
import type { Installation } from "./installation";

const NAMES = {
  customers: "Customers",
  expenses: "Expenses",
  filesystem: "Files of the inbox",
  library: "Library",
  "rug-pull": "Weather",
  shop: "Shop",
} as const satisfies Record<BundledProgram, string>;

/** The one that is a package of ours. */
const filesystemFolder = ({ root }: Installation): string => path.join(root, "node_modules", "@modelcontextprotocol", "server-filesystem");

export const bundledEntry = (id: BundledProgram, at: Installation): string =>
  id === "filesystem" ? path.join(filesystemFolder(at), "dist", "index.js") : path.join(at.home, "build", `${id}.mjs`);

/** A folder of its own, where it keeps what it has to remember; for the inbox server the mails. */
export const bundledFolder = (id: BundledProgram, { home }: Installation): string => path.join(home, id === "filesystem" ? "inbox" : id);

/** @throws AppError("manifest_invalid") when it was not built */
export const bundledProgram = async (id: BundledProgram, at: Installation): Promise<Program> => ({
  id,
  name: NAMES[id],
  runs: { kind: "bundled" },
  files: await (id === "filesystem" ? digestTree(filesystemFolder(at)) : digestFile(bundledEntry(id, at))),
  args: [],
  env: {},
  placeholders: {},
});
