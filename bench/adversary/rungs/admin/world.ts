import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { z } from "zod";
import { bundlePrograms } from "@/bin/bundle";
import { until } from "@/bench/adversary/rungs/until";
import type { World } from "@/bench/adversary/rungs/world";
import { askPlace } from "@/lib/mcp/console";
import type { ProgramValues, StdioManifest } from "@/lib/mcp/program";
import { registryOutcomeSchema, type RegistryOutcome } from "@/lib/mcp/registry-command";
import { makeProgramFolder, offerInPlace } from "@/server/mcp/testing/programs";
import { sealSecret } from "@/server/security/secrets";
import { recordRows, sealedAsk } from "@/server/testing/authority";
import { queryOn } from "@/server/testing/connections";

export type Asker = { readonly workspace: string; readonly user: string };

const noteSchema = z.union([
  z.object({ args: z.array(z.string()), env: z.record(z.string(), z.string()) }),
  z.object({ called: z.literal(true) }),
]);

export type Probe = {
  /** Outside the state folder; its `docs` is the operator's root. */
  readonly folder: string;
  readonly file: string;
  readonly manifest: (values?: ProgramValues) => StdioManifest;
  readonly starts: () => readonly { readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> }[];
  readonly calls: () => number;
};

const VALUES: ProgramValues = { folder: "team", text: "plain", mode: "ro", host: "api.github.com", key: { secret: "probe-key" } };

/** One placeholder of each kind. */
export const offerProbe = async ({ desk }: World, change: { readonly args?: readonly string[] } = {}): Promise<Probe> => {
  const folder = await makeProgramFolder();
  await bundlePrograms({ root: path.resolve("."), outdir: folder, entries: { probe: "./bench/adversary/rungs/admin/probe.ts" } });
  fs.mkdirSync(path.join(folder, "docs", "team"), { recursive: true });
  const [log, file] = [path.join(folder, "log"), path.join(folder, "probe.mjs")];
  fs.writeFileSync(log, "");
  const offered = await offerInPlace(desk.installation, "probe", file, {
    args: [log, ...(change.args ?? ["{folder}", "{text}", "{mode}", "{host}"])],
    env: { PROBE_KEY: "{key}" },
    placeholders: {
      key: { type: "secret" },
      ...(change.args === undefined && {
        folder: { type: "folder", below: path.join(folder, "docs") },
        text: { type: "text", pattern: "(?s).*" },
        mode: { type: "choice", options: ["ro", "rw"] },
        host: { type: "host" },
      }),
    },
  });
  const notes = () =>
    fs
      .readFileSync(log, "utf8")
      .split("\n")
      .flatMap((line) => (line === "" ? [] : [noteSchema.parse(JSON.parse(line))]));

  return {
    folder,
    file,
    manifest: (values = {}) => ({ ...offered, values: { ...VALUES, ...values } }),
    starts: () => notes().flatMap((note) => ("args" in note ? [note] : [])),
    calls: () => notes().filter((note) => "called" in note).length,
  };
};

export const adminOf = ({ desk }: World): Asker => ({ workspace: desk.workspace, user: desk.people.admin });

const answerOf = ({ desk }: World, id: string): Promise<RegistryOutcome> =>
  until("the registry answers", async () => {
    const [row] = await queryOn<{ outcome: unknown }>(desk.urls.admin, "select outcome from registry_command where id = $1", [id]);

    return row?.outcome === null || row === undefined ? null : registryOutcomeSchema.parse(row.outcome);
  });

/** The web process does not check the body. */
export const askRegistry = async (
  world: World,
  body: object,
  { workspace, user }: Asker = adminOf(world),
  sealedFor = workspace,
): Promise<RegistryOutcome> => {
  const id = randomUUID();
  const { urls, deps } = world.desk;
  const sealed = await sealedAsk(urls.admin, deps, { workspace: sealedFor, userId: user, place: id, body });
  await queryOn(urls.admin, "insert into registry_command (workspace_id, id, user_id, body) values ($1, $2, $3, $4)", [
    workspace,
    id,
    user,
    Buffer.from(sealed),
  ]);
  await queryOn(urls.admin, "select pg_notify('countersign_registry', '')");

  return answerOf(world, id);
};

export const keepSecret = async ({ desk }: World, workspace: string, name: string, value: string): Promise<void> => {
  await queryOn(desk.urls.admin, "insert into secret (workspace_id, name, sealed, created_by) values ($1, $2, $3, $4)", [
    workspace,
    name,
    Buffer.from(sealSecret(desk.deps.vault, workspace, name, value)),
    desk.people.admin,
  ]);
};

/** @param isDemo accounts need no password */
export const foundWorkspace = async ({ desk }: World, isDemo = false): Promise<Asker> => {
  const [workspace, user] = [randomUUID(), randomUUID()];
  const { admin } = desk.urls;
  await queryOn(admin, "insert into workspace (id, name, demo) values ($1, 'Neighbour', $2)", [workspace, isDemo]);
  await queryOn(admin, "insert into app_user (id, email, name) values ($1, $2, 'Neighbour')", [user, `${user}@example.com`]);
  await queryOn(admin, "insert into membership (workspace_id, user_id, role) values ($1, $2, 'admin')", [workspace, user]);
  await recordRows(desk.deps, workspace);

  return { workspace, user };
};

export type ServerState = { readonly status: string; readonly revision: number };

export const readServerState = async ({ desk }: World, id: string, workspace = desk.workspace): Promise<ServerState | null> => {
  const [row] = await queryOn<ServerState>(desk.urls.admin, "select status, revision from mcp_server where workspace_id = $1 and id = $2", [
    workspace,
    id,
  ]);

  return row ?? null;
};

export const addAndInspect = async (world: World, manifest: object, asker: Asker = adminOf(world), id = "probe"): Promise<void> => {
  await askRegistry(world, { type: "add", id, name: id, transport: { type: "stdio", manifest } }, asker);
  const revision = (await readServerState(world, id, asker.workspace))?.revision ?? 1;
  await askRegistry(world, { type: "inspect", id, revision }, asker);
};

export const tryTool = async (world: World, server: string, tool: string, { workspace, user }: Asker = adminOf(world)): Promise<void> => {
  const { urls, deps } = world.desk;
  const id = randomUUID();
  const [row] = await queryOn<{ seen_digest: string }>(
    urls.admin,
    "select seen_digest from mcp_tool where workspace_id = $1 and server_id = $2 and name = $3",
    [workspace, server, tool],
  );
  const body = { id: server, tool, definition_digest: row?.seen_digest ?? "0".repeat(64), arguments: {}, typed: tool };
  const sealed = await sealedAsk(urls.admin, deps, { workspace, userId: user, place: askPlace(id), body });
  await queryOn(urls.admin, "insert into console_call (workspace_id, id, user_id, server_id, tool, body) values ($1, $2, $3, $4, $5, $6)", [
    workspace,
    id,
    user,
    server,
    tool,
    Buffer.from(sealed),
  ]);
  await queryOn(urls.admin, "select pg_notify('countersign_console', '')");
  await until("the console answers", async () => {
    const [call] = await queryOn<{ status: string }>(urls.admin, "select status from console_call where id = $1", [id]);

    return call?.status === "done";
  });
};

export const reviewProbe = async (world: World): Promise<void> => {
  const rows = await queryOn<{ name: string; seen_digest: string }>(
    world.desk.urls.admin,
    "select name, seen_digest from mcp_tool where workspace_id = $1 and server_id = 'probe'",
    [world.desk.workspace],
  );
  const expect = Object.fromEntries(rows.map(({ name, seen_digest }) => [name, seen_digest]));
  for (const step of [{ type: "pin", expect }, { type: "activate" }]) {
    const revision = (await readServerState(world, "probe"))?.revision ?? 0;
    const outcome = await askRegistry(world, { ...step, id: "probe", revision });
    if (!outcome.ok) throw new Error(`the probe was not put into use: ${outcome.message}`);
  }
};
