/** What admins do in the MCP registry. */
import path from "node:path";
import { expect, type Page } from "@playwright/test";
import type { GraphInput } from "../lib/graph/document.ts";
import { mutate, query } from "./wire.ts";

const fileOf = (name: string): string => path.resolve(import.meta.dirname, `../server/mcp/testing/${name}.ts`);

/** A server that is honest until it is told to change. */
export const RUG_PULL = fileOf("rug-pull");
/** Its `work` says how far it is, again and again. */
export const SDK_SERVER = fileOf("sdk-server");
/** It has forty. */
export const MANY_TOOLS = fileOf("many-tools");

type Server = {
  readonly revision: number;
  readonly tools: readonly { readonly name: string; readonly seen: { readonly digest: string } | null }[];
};

type Admission = {
  readonly id: string;
  readonly name: string;
  readonly manifest: { readonly source: "bundled"; readonly id: string } | { readonly source: "file"; readonly path: string };
  /** Tools that count as only reading. */
  readonly reading: readonly string[];
  /** Who may call it: ids of agents, `node`. */
  readonly callers: readonly string[];
};

/** A server in use, as an admin's clicks would bring it there. */
export const letIn = async (page: Page, { id, name, manifest, reading, callers }: Admission): Promise<void> => {
  const send = (input: object) => mutate<{ revision: number }>(page, "mcp.command", { id, ...input });
  const file = manifest.source === "file" ? { args: [] } : {};
  await send({ type: "add", name, transport: { type: "stdio", manifest: { ...manifest, ...file } } });
  const { revision, tools } = await query<Server>(page, "mcp.get", { id });
  const expected = Object.fromEntries(tools.map((tool) => [tool.name, tool.seen?.digest ?? ""]));
  let now = await send({ type: "pin", revision, expect: expected });
  const labels = { effect: "read", idempotent: true, output: "internal", outward: false, clearance: "internal" };
  for (const tool of reading) now = await send({ type: "set_labels", revision: now.revision, tool, ...labels });
  now = await send({ type: "set_allowed_agents", revision: now.revision, agents: callers });
  await send({ type: "activate", revision: now.revision });
};

/** Opens the form, and fills in what every kind of server has. */
export const startAdding = async (page: Page, id: string, name: string): Promise<void> => {
  await page.getByRole("link", { name: "MCP servers" }).click();
  await page.getByRole("button", { name: "Add server…" }).click();
  await page.getByLabel("Id").fill(id);
  await page.getByLabel("Name").fill(name);
};

/** Labels a tool as one that only looks. */
export const labelAsRead = async (page: Page, tool: string): Promise<void> => {
  const entry = page.getByRole("list", { name: "Tools" }).getByRole("button", { name: tool });
  await entry.click();
  const labels = page.getByRole("region", { name: "Our labels" });
  await labels.getByLabel("Effect").click();
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

/** Runs a graph that has the server change its tools and then calls it once more. @returns the run's path */
export const runRugPull = async (page: Page, server: string): Promise<string> => {
  const { id } = await mutate<{ id: string }>(page, "graphs.create", { name: "Rug pull" });
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
  const { revision } = await mutate<{ revision: number }>(page, "graphs.save", { id, revision: 1, document });
  const { version } = await mutate<{ version: { hash: string } }>(page, "graphs.publish", { id, revision });
  const { run_id: runId } = await mutate<{ run_id: string }>(page, "runs.start", {
    graph_hash: version.hash,
    goal: "See whether a server that changes is caught.",
    inputs: {},
    model: "scripted:honest",
  });

  return `/runs/${runId}`;
};
