import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, type Page } from "@playwright/test";
import type { GraphInput } from "../lib/graph/document.ts";
import { e2eHome } from "./home.ts";
import { publish, startVersion } from "./versions.ts";
import { mutate, query } from "./wire.ts";

const root = path.resolve(import.meta.dirname, "..");

const fileOf = (name: string): string => path.resolve(import.meta.dirname, `../server/mcp/testing/${name}.ts`);

/** Honest until told to change. */
export const RUG_PULL = fileOf("rug-pull");
/** Its `work` reports progress. */
export const SDK_SERVER = fileOf("sdk-server");
/** Has forty tools. */
export const MANY_TOOLS = fileOf("many-tools");

type Server = {
  readonly revision: number;
  readonly tools: readonly { readonly name: string; readonly seen: { readonly digest: string } | null }[];
};

type Admission = {
  readonly id: string;
  readonly name: string;
  readonly program: string;
  /** Tools labelled read-only. */
  readonly reading: readonly string[];
  /** Tools labelled as reversible writes. */
  readonly writing?: readonly string[];
  /** Agent ids, `node`. */
  readonly callers: readonly string[];
};

/** By CLI. @param page of an admin, who sees it seconds later */
export const offerProgram = async (page: Page, id: string, file: string, options: readonly string[] = []): Promise<string> => {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "countersign-e2e-program-")));
  const copy = path.join(folder, path.basename(file));
  fs.symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"));
  fs.copyFileSync(file, copy);
  execFileSync(process.execPath, [path.join(root, "bin", "countersign.mjs"), "servers", "allow", copy, "--id", id, ...options], {
    env: { ...process.env, COUNTERSIGN_HOME: e2eHome() },
    stdio: "pipe",
  });
  await expect.poll(async () => (await offered(page)).some((program) => program.id === id), { timeout: 30_000 }).toBe(true);

  return copy;
};

const offered = (page: Page) => query<readonly { readonly id: string; readonly digest: string }[]>(page, "mcp.programs", undefined);

export const addProgram = async (page: Page, { id, name, program }: Pick<Admission, "id" | "name" | "program">): Promise<void> => {
  const found = (await offered(page)).find((each) => each.id === program);
  const transport = { type: "stdio", manifest: { program, digest: found?.digest, values: {} } };
  const { revision } = await mutate<{ revision: number }>(page, "mcp.command", { type: "add", id, name, transport });
  await mutate(page, "mcp.command", { type: "inspect", id, revision });
};

/** Like an admin. */
export const letIn = async (page: Page, { id, name, program, reading, writing = [], callers }: Admission): Promise<void> => {
  const send = (input: object) => mutate<{ revision: number }>(page, "mcp.command", { id, ...input });
  await addProgram(page, { id, name, program });
  const { revision, tools } = await query<Server>(page, "mcp.get", { id });
  const expected = Object.fromEntries(tools.map((tool) => [tool.name, tool.seen?.digest ?? ""]));
  let now = await send({ type: "pin", revision, expect: expected });
  const labels = { idempotent: true, output: "internal", outward: false, clearance: "internal" };
  const byTool = Object.entries({ read: reading, write: writing }).flatMap(([effect, names]) =>
    names.map((tool) => [tool, { effect, ...labels }] as const),
  );
  if (byTool.length > 0) now = await send({ type: "set_labels", revision: now.revision, labels: Object.fromEntries(byTool) });
  now = await send({ type: "set_allowed_agents", revision: now.revision, agents: callers });
  await send({ type: "activate", revision: now.revision });
};

export const startAdding = async (page: Page, id: string, name: string): Promise<void> => {
  await page.goto("/admin/mcp");
  await page.getByRole("button", { name: "Add server…" }).click();
  await page.getByLabel("Id").fill(id);
  await page.getByLabel("Name").fill(name);
};

export const labelAsRead = async (page: Page, tool: string): Promise<void> => {
  const entry = page.getByRole("list", { name: "Tools" }).getByRole("button", { name: tool });
  await entry.click();
  const labels = page.getByRole("region", { name: "Our labels" });
  await labels.getByLabel("Effect", { exact: true }).click();
  await page.getByRole("option", { name: /^Read/ }).click();
  await labels.getByRole("button", { name: "Save labels" }).click();
  await expect(entry).toContainText("read");
};

const node = (server: string, id: string, tool: string, values: Record<string, { value: string | boolean }>) => ({
  id,
  kind: "tool" as const,
  effect: "read" as const,
  write_keys: ["answer"],
  failure_policy: { attempts: 1 },
  config: { server, tool, arguments: values },
});

/** @returns the run's path */
export const runRugPull = async (page: Page, server: string): Promise<string> => {
  const document: GraphInput = {
    format: "countersign/graph/v1",
    id: "rug-pull",
    name: "Rug pull",
    memory: [{ key: "answer", schema: {} }],
    nodes: [
      node(server, "change", "become", { shape: { value: "invisible" }, announce: { value: true } }),
      node(server, "again", "echo", { text: { value: "hello" } }),
    ],
    edges: [{ id: "change-again", source: "change", target: "again" }],
    start_node: "change",
    end_nodes: ["again"],
    max_token_budget: 1_000,
  };
  const { hash } = await publish(page, document);

  return `/runs/${await startVersion(page, hash)}`;
};
