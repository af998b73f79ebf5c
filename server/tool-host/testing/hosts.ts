import { mkdir, mkdtemp, realpath, rm, symlink } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll } from "vitest";
import { newKey, type TestKey } from "@/lib/engine/testing/ledger";
import { computeKid } from "@/lib/engine/ledger/trust-anchor";
import type { Catalog } from "@/server/mcp/catalog";
import type { Opening } from "@/server/mcp/connector";
import type { Installation } from "@/server/mcp/programs/installation";
import { bundleInto } from "@/server/mcp/testing/bundles";
import { probeIsolation } from "@/server/sandbox/probe";
import { plantAnchor } from "@/server/security/testing/anchor";
import { createToolHosts, type ToolHosts, type ToolHostsOptions } from "@/server/tool-host/connector";

/** Creates an installation outside the application, as sandboxes need. */
export const separateInstallation = async (): Promise<Installation> => {
  const root = path.resolve(".");
  const home = await realpath(await mkdtemp(path.join(os.tmpdir(), "countersign-hosts-")));
  for (const name of ["inbox", "keys", "build", "scratch"]) await mkdir(path.join(home, name));
  await symlink(path.join(root, "node_modules"), path.join(home, "build", "node_modules"));
  afterAll(() => rm(home, { recursive: true, force: true }));

  return { home, root };
};

export const bundleToolHost = (installation: Installation, entry = "./server/tool-host/main.ts"): Promise<void> =>
  bundleInto(installation, { "tool-host": entry });

export const openToolHosts = (installation: Installation, change: Partial<ToolHostsOptions> = {}): ToolHosts =>
  createToolHosts({
    installation,
    program: path.join(installation.home, "build", "tool-host.mjs"),
    isolation: probeIsolation(installation.root, path.join(installation.home, "scratch")),
    sandboxLevel: "available",
    egress: { allowOrigins: [] },
    messages: { allowOrigins: [] },
    maxProcesses: 8,
    ...change,
  });

/** Plants an anchor with a new key in the installation. */
export const plantKey = async ({ home }: Installation): Promise<TestKey> => {
  const made = await newKey("");
  const key = { ...made, kid: computeKid(made.public) };
  await plantAnchor(home, { kid: key.kid, publicKey: key.public });

  return key;
};

export const openingOf = (workspace: string, server: string, transport: Opening["transport"]): Opening => ({
  workspace,
  server,
  transport,
  access: { headers: {}, auth: null },
  era: "auto",
  secrets: {},
  environment: {},
});

export const digestIn = (catalog: Catalog, tool: string): string => {
  const found = catalog.get(tool);
  if (!found) throw new Error(`there is no tool ${tool}`);

  return found.digest;
};
