/** Lists a program's tools without secrets, folders and network, before anyone takes it over. */
import { mkdtemp, realpath, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { RE2JS } from "@bufbuild/re2";
import { AppError } from "@/lib/errors";
import { err, ok, type Result } from "@/lib/result";
import type { ToolDefinition } from "@/lib/mcp/definition";
import type { Layer } from "@/lib/mcp/isolation";
import {
  checkValues,
  computeProgramDigest,
  type Placeholder,
  type Program,
  type ProgramValues,
  type StdioManifest,
} from "@/lib/mcp/program";
import { connectBy } from "@/server/mcp/connect";
import { createConnection } from "@/server/mcp/connection";
import { computeHomeLabel, isImageProgram, type ImageProgram } from "@/server/mcp/containers/engine";
import { runContainer } from "@/server/mcp/containers/run";
import { openEnvironment } from "@/server/mcp/credentials";
import { MCP_LIMITS } from "@/server/mcp/limits";
import { openProgram, type Opened, type ProgramOptions } from "@/server/mcp/open-program";
import type { OpenedSecrets } from "@/server/mcp/open-transport";
import { processFailureOf } from "@/server/mcp/server-failure";
import { createProcessTransport } from "@/server/mcp/stdio-transport";
import { buildContainerLaunch, buildLaunch, type Filled } from "./launch";
import type { Environment } from "./run-installer";

const DEMANDED: readonly Layer[] = ["files", "network"];
const SECRET = "mcp/listing";
const TEXTS = ["none", "1", "a", "A1", "https://listing.example.org", "00000000-0000-4000-8000-000000000000"];

const standInFor = (placeholder: Placeholder): ProgramValues[string] | null => {
  switch (placeholder.type) {
    case "folder":
      return ".";
    case "host":
      return "listing.example.org";
    case "secret":
      return { secret: SECRET };
    case "text":
      return TEXTS.find((text) => new RE2JS(placeholder.pattern).testExact(text)) ?? null;
    case "choice":
      return placeholder.options[0] ?? null;
    default:
      return placeholder satisfies never;
  }
};

const fillIn = ({ placeholders }: Program, given: Readonly<Record<string, string>>): ProgramValues =>
  Object.fromEntries(
    Object.entries(placeholders).flatMap(([name, placeholder]) => {
      const value = Object.hasOwn(given, name) ? given[name] : standInFor(placeholder);

      return value === null || value === undefined ? [] : [[name, value]];
    }),
  );

const withoutNetwork = ({ network: _direct, hosts: _named, ...program }: Program): Program => program;

const sentenceOf = (error: unknown): string => {
  if (!(error instanceof AppError)) throw error;
  const last = processFailureOf(error)?.output.trimEnd().split("\n").at(-1) ?? "";

  return last === "" ? error.message : `${error.message} Its last output: ${last}`;
};

type Options = Omit<ProgramOptions, "sandboxLevel" | "egress"> & { readonly engineEnvironment: Environment };

type ImageOpening = { readonly manifest: StdioManifest; readonly filled: Filled; readonly secrets: OpenedSecrets };

const openImage = (
  program: ImageProgram,
  { manifest, filled, secrets }: ImageOpening,
  { installation, engineEnvironment }: Options,
): Opened => {
  const { args, env: variables } = buildContainerLaunch(program, manifest, filled);
  const { env, secrets: told } = openEnvironment(variables, secrets);
  const run = () => runContainer({ program, args, env, labels: [computeHomeLabel(installation.home)] }, engineEnvironment);

  return {
    transport: createProcessTransport(run, { secrets: told, maxMessageBytes: MCP_LIMITS.maxMessageBytes }),
    secrets: told,
    dispose: async () => undefined,
  };
};

/** @returns a sentence when it does not answer */
export const listProgramTools = async (
  program: Program,
  given: Readonly<Record<string, string>>,
  options: Options,
): Promise<Result<readonly ToolDefinition[], string>> => {
  const { holds } = await options.isolation();
  if (!isImageProgram(program) && !DEMANDED.every((layer) => holds.includes(layer)))
    return err("This machine doesn't isolate programs, so it was not started.");
  const values = fillIn(program, given);
  const checked = checkValues(program, values);
  if (!checked.ok) return err(`Name a value with --value NAME=TEXT. ${checked.error}`);
  const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), "countersign-listing-")));
  const filled = Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      if (typeof value !== "string") return [];

      return [[name, program.placeholders[name]?.type === "folder" ? folder : value]];
    }),
  );
  try {
    const offline = withoutNetwork(program);
    const manifest = { program: program.id, digest: computeProgramDigest(offline), values };
    const secrets = { [SECRET]: "listing-without-a-secret" };
    const openOffline = async (): Promise<Opened> => {
      if (isImageProgram(offline)) return openImage(offline, { manifest, filled, secrets }, options);
      const launch = { ...(await buildLaunch(offline, manifest, filled, options.installation)), hosts: [], writable: [] };
      const settings: ProgramOptions = { ...options, egress: { allowOrigins: [], requireHttps: true }, sandboxLevel: "available" };

      return openProgram({ manifest, launch, secrets, environment: {} }, settings);
    };
    const connected = await connectBy(openOffline, "auto", () => undefined);
    const connection = createConnection(connected, options.clock, { takeStale: () => false });
    try {
      return ok([...(await connection.catalog({ fresh: true })).values()].map(({ definition }) => definition));
    } finally {
      await connection.close();
    }
  } catch (error) {
    return err(sentenceOf(error));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
