import path from "node:path";
import type { BundledProgram } from "@/lib/mcp/bundled-program";
import type { Program } from "@/lib/mcp/program";
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

const filesystemFolder = ({ root }: Installation): string => path.join(root, "node_modules", "@modelcontextprotocol", "server-filesystem");

export const getBundledEntry = (id: BundledProgram, at: Installation): string =>
  id === "filesystem" ? path.join(filesystemFolder(at), "dist", "index.js") : path.join(at.home, "build", `${id}.mjs`);

/** State folder; mails for the inbox server. */
export const getBundledFolder = (id: BundledProgram, { home }: Installation): string => path.join(home, id === "filesystem" ? "inbox" : id);

/** @throws AppError("manifest_invalid") when not built */
export const getBundledProgram = async (id: BundledProgram, at: Installation): Promise<Program> => ({
  id,
  name: NAMES[id],
  runs: { kind: "bundled" },
  files: await (id === "filesystem" ? digestTree(filesystemFolder(at)) : digestFile(getBundledEntry(id, at))),
  args: [],
  env: {},
  placeholders: {},
});
