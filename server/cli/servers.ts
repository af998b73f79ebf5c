import path from "node:path";
import { AppError } from "@/lib/errors";
import { parseLooseSpec } from "@/lib/mcp/import-command";
import { parsePythonSpec } from "@/lib/mcp/python-package";
import { computeProgramDigest, type Placeholder, type Program } from "@/lib/mcp/program";
import { demandSameImage, isImageProgram } from "@/server/mcp/containers/engine";
import { installImage } from "@/server/mcp/containers/install";
import { hasBroker } from "@/server/mcp/containers/socket";
import { readEngineEnvironment } from "@/server/env";
import type { Installation } from "@/server/mcp/programs/installation";
import { digestProgram, isScript, listOfferedPrograms } from "@/server/mcp/programs/launch";
import { installPackage } from "@/server/mcp/programs/install";
import { allowFile, removeProgram, type Declared } from "@/server/mcp/programs/offer";
import { parseArguments, parsePair, type Arguments } from "./arguments";
import { CliFailure, type CliCommand, type CliHost } from "./host";
import { installationOf } from "./installed";
import { formatJsonLine } from "./problem";
import { runUpgradeCommand } from "./upgrade";

const DECLARING = {
  id: "string",
  name: "string",
  arg: "strings",
  env: "strings",
  folder: "strings",
  host: "strings",
  secret: "strings",
  text: "strings",
  choice: "strings",
  network: "string",
  "allow-host": "strings",
} as const;

const placeholdersOf = (args: Arguments): Readonly<Record<string, Placeholder>> => {
  const pairs = (option: "folder" | "text" | "choice", make: (value: string) => Placeholder): [string, Placeholder][] =>
    args.list(option).map((given) => {
      const [name, value] = parsePair(option, given);

      return [name, make(value)];
    });

  return Object.fromEntries([
    ...pairs("folder", (below) => ({ type: "folder", below })),
    ...pairs("text", (pattern) => ({ type: "text", pattern })),
    ...pairs("choice", (options) => ({ type: "choice", options: options.split(",") })),
    ...args.list("host").map((name) => [name, { type: "host" }] as const),
    ...args.list("secret").map((name) => [name, { type: "secret" }] as const),
  ]);
};

const networkOf = (args: Arguments): Pick<Declared, "network" | "hosts"> => {
  const network = args.text("network");
  const hosts = args.list("allow-host");
  const named = hosts.length === 0 ? {} : { hosts: [...hosts] };
  if (network === null) return named;
  if (network !== "direct") throw new CliFailure('--network accepts only "direct", which lets the program connect to any address');

  return { ...named, network };
};

/** @param named its last part is the default id */
const declaredBy = (args: Arguments, named: string): Declared => {
  const last = path.basename(named).replace(/\.[cm]?[jt]s$/, "");
  const id = args.text("id") ?? last.replaceAll(/[^a-zA-Z0-9_-]+/g, "-").replace(/^[^a-zA-Z]+/, "");

  return {
    id,
    name: args.text("name") ?? id,
    args: [...args.list("arg")],
    env: Object.fromEntries(args.list("env").map((given) => parsePair("env", given))),
    placeholders: placeholdersOf(args),
    ...networkOf(args),
  };
};

const shown = (program: Program) => ({ ...program, digest: computeProgramDigest(program) });

const sayOffered = async (host: CliHost, program: Program): Promise<number> => {
  await host.out(formatJsonLine(shown(program)));
  const { runs } = program;
  const needsRestart = runs.kind === "file" ? !isScript(runs.path) : runs.kind === "image" && !(await hasBroker(host.home));
  const restart = needsRestart ? " Restart running runners to use it." : "";
  await host.err(`countersign: ${program.id} is now available. Admins can add it under MCP servers.${restart}\n`);

  return 0;
};

const allowNamed = async (named: string, args: Arguments, host: CliHost): Promise<number> => {
  const file = path.resolve(host.cwd, named);

  return sayOffered(host, await allowFile(file, declaredBy(args, file), installationOf(host), args.text("sha256")));
};

const installNamedImage = async (reference: string, args: Arguments, host: CliHost): Promise<number> => {
  const named = reference.replace(/@.*$/, "").replace(/:[^/]*$/, "");
  const declared = declaredBy(args, named === "sha256" ? (args.text("id") ?? "image") : named);

  return sayOffered(host, await installImage(reference, declared, installationOf(host), readEngineEnvironment()));
};

const install: CliCommand = async (argv, host) => {
  const args = parseArguments(argv, "NAME[@VERSION], FILE or IMAGE", {
    ...DECLARING,
    bin: "string",
    python: "boolean",
    program: "boolean",
    image: "boolean",
    scripts: "boolean",
    sha256: "string",
  });
  const [isPython, isProgram] = [args.flag("python"), args.flag("program")];
  if ([isPython, isProgram, args.flag("image")].filter(Boolean).length > 1)
    throw new CliFailure("use one of --python, --program and --image");
  if (args.flag("image")) return installNamedImage(args.operand, args, host);
  if (isProgram) return allowNamed(args.operand, args, host);
  const spec = isPython ? parsePythonSpec(args.operand) : parseLooseSpec(args.operand);
  if (!spec.ok) throw new CliFailure(spec.error);
  const kind = isPython ? ("python" as const) : ("package" as const);
  const installed = { ...spec.value, kind, bin: args.text("bin"), scripts: args.flag("scripts") };

  return sayOffered(
    host,
    await installPackage(installed, declaredBy(args, spec.value.name), installationOf(host), host.installerEnvironment),
  );
};

const allow: CliCommand = async (argv, host) => {
  const args = parseArguments(argv, "FILE", { ...DECLARING, sha256: "string" });

  return allowNamed(args.operand, args, host);
};

const statusOf = async (program: Program, at: Installation): Promise<"ok" | "changed"> => {
  if (isImageProgram(program))
    return demandSameImage(program, readEngineEnvironment()).then(
      () => "ok",
      () => "changed",
    );

  return (await digestProgram(program, at).catch(() => null)) === program.files ? "ok" : "changed";
};

const list: CliCommand = async (argv, host) => {
  parseArguments(argv, null, {});
  const at = installationOf(host);
  const programs = await listOfferedPrograms(at);
  await host.out(
    formatJsonLine(await Promise.all(programs.map(async (program) => ({ ...shown(program), status: await statusOf(program, at) })))),
  );

  return 0;
};

const remove: CliCommand = async (argv, host) => {
  const { operand: id } = parseArguments(argv, "ID", {});
  if (!(await removeProgram(id, installationOf(host)))) throw new CliFailure(`program ${id} not found`);
  await host.err(`countersign: ${id} is no longer available. Servers that use it stop at their next call.\n`);

  return 0;
};

const SUBCOMMANDS: Readonly<Record<string, CliCommand>> = { install, upgrade: runUpgradeCommand, allow, list, remove };

export const runServersCommand: CliCommand = async ([name = "", ...rest], host) => {
  const command = Object.hasOwn(SUBCOMMANDS, name) ? SUBCOMMANDS[name] : undefined;
  if (!command) throw new CliFailure("usage: countersign servers install | upgrade | list | remove");
  try {
    return await command(rest, host);
  } catch (error) {
    throw error instanceof AppError ? new CliFailure(error.message, error) : error;
  }
};
