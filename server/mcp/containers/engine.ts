/** Never in the sandbox. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { z } from "zod";
import { digestOf, type HexDigest } from "@/lib/hash";
import { ENGINES, type Engine } from "@/lib/mcp/image";
import type { Program } from "@/lib/mcp/program";
import { AppError } from "@/lib/errors";
import { createInvalidProgram } from "@/server/mcp/programs/installation";
import { runInstaller, type Environment } from "@/server/mcp/programs/run-installer";

export type ImageProgram = Program & { readonly runs: Extract<Program["runs"], { kind: "image" }> };

export const isImageProgram = (program: Program): program is ImageProgram => program.runs.kind === "image";

const COMMAND_MS = 20_000;
const PULL_MS = 600_000;

const runEngine = (engine: Engine, args: readonly string[], env: Environment, timeoutMs = COMMAND_MS): Promise<string> =>
  runInstaller(engine, args, "/", env, timeoutMs);

type EngineState = { readonly engine: Engine; readonly failure: string | null };

const examine = async (engine: Engine, env: Environment): Promise<EngineState | null> => {
  try {
    await runEngine(engine, ["--version"], env);
  } catch {
    return null;
  }
  const failure = await runEngine(engine, ["info"], env).then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : "unknown"),
  );

  return { engine, failure };
};

export const listEngines = async (env: Environment): Promise<readonly EngineState[]> =>
  (await Promise.all(ENGINES.map((engine) => examine(engine, env)))).flatMap((state) => state ?? []);

/** @throws AppError("containers_missing") */
export const demandEngine = async (env: Environment): Promise<Engine> => {
  const engines = await listEngines(env);
  const working = engines.find(({ failure }) => failure === null);
  if (working) return working.engine;
  const why = engines[0]?.failure;
  throw new AppError("containers_missing", why ? { message: `${engines[0]?.engine} doesn't work: ${why}` } : {});
};

const texts = z.array(z.string()).nullish();
const imageSchema = z.object({
  ID: z.string().regex(/^(?:sha256:)?[0-9a-f]{64}$/),
  RepoDigests: texts,
  Config: z
    .object({
      Entrypoint: texts,
      Cmd: texts,
      Env: texts,
      User: z.string().nullish(),
      WorkingDir: z.string().nullish(),
      Volumes: z.record(z.string(), z.unknown()).nullish(),
    })
    .nullish(),
  RootFS: z.object({ Layers: texts }).nullish(),
});

/** History and labels have no bound. */
const FORMAT = `{${["ID", "RepoDigests", "Config", "RootFS"].map((name) => `"${name}":{{json .${name}}}`).join(",")}}`;

export type Image = {
  readonly config: HexDigest;
  readonly names: readonly string[];
  readonly layers: readonly string[];
  readonly hasVolumes: boolean;
  readonly files: HexDigest;
};

const toImage = ({ ID, RepoDigests, Config, RootFS }: z.infer<typeof imageSchema>): Image => {
  const config = ID.replace("sha256:", "");
  const layers = RootFS?.Layers ?? [];
  const started = {
    entrypoint: Config?.Entrypoint ?? [],
    command: Config?.Cmd ?? [],
    env: Config?.Env ?? [],
    user: Config?.User ?? "",
    folder: Config?.WorkingDir ?? "",
  };

  return {
    config,
    names: RepoDigests ?? [],
    layers,
    hasVolumes: Object.keys(Config?.Volumes ?? {}).length > 0,
    files: digestOf("settings", { config, layers, ...started }),
  };
};

export const inspectImage = async (engine: Engine, image: string, env: Environment): Promise<Image | null> => {
  const text = await runEngine(engine, ["image", "inspect", "--format", FORMAT, image], env).catch(() => null);

  return text === null ? null : toImage(imageSchema.parse(JSON.parse(text)));
};

export const pullImage = (engine: Engine, image: string, env: Environment): Promise<string> =>
  runEngine(engine, ["pull", "--quiet", image], env, PULL_MS);

export const demandSameImage = async ({ runs, files }: ImageProgram, env: Environment): Promise<void> => {
  const image = await inspectImage(runs.engine, `sha256:${runs.config}`, env);
  if (!image) throw createInvalidProgram(`${runs.engine} no longer has the image ${runs.image}.`);
  if (image.config !== runs.config || image.files !== files)
    throw createInvalidProgram("The container image is not the one that the operator installed.");
};

const HOME_LABEL = "countersign.home";
const OWNER_LABEL = "countersign.owner";

export const computeHomeLabel = (home: string): string => `${HOME_LABEL}=${createHash("sha256").update(home).digest("hex").slice(0, 32)}`;

export const toOwnerLabel = (owner: string): string => `${OWNER_LABEL}=${owner}`;

const FIXED = [
  "--rm",
  "--interactive",
  ["--pull", "never"],
  ["--network", "none"],
  ["--ipc", "private"],
  "--read-only",
  ["--tmpfs", "/tmp:rw,size=64m,mode=1777,nosuid,nodev"],
  ["--cap-drop", "all"],
  ["--security-opt", "no-new-privileges"],
  ["--memory", "1g"],
  ["--memory-swap", "1g"],
  ["--cpus", "1"],
  ["--pids-limit", "256"],
  ["--ulimit", "nofile=1024:1024"],
  // Counts the whole user.
  ["--ulimit", "nproc=4096:4096"],
  ["--log-driver", "none"],
  "--no-healthcheck",
].flat();

const FIXED_BY: Readonly<Record<Engine, readonly string[]>> = {
  podman: ["--read-only-tmpfs=false", "--image-volume=ignore", "--http-proxy=false", "--env-host=false"],
  docker: [],
};

const OWN_VARIABLES = { HOME: "/tmp", TMPDIR: "/tmp" };

export type ContainerSpec = {
  readonly program: ImageProgram;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly name: string;
  readonly labels: readonly string[];
};

export const createContainer = async (spec: ContainerSpec, env: Environment): Promise<void> => {
  await runEngine(spec.program.runs.engine, ["create", ...buildContainerOptions(spec)], env);
};

export const initContainer = async (name: string, env: Environment): Promise<number> => {
  await runEngine("podman", ["init", name], env);

  return Number(await runEngine("podman", ["inspect", "--format", "{{.State.Pid}}", name], env));
};

/** Values stay off the command line. */
export const buildContainerOptions = ({ program: { runs }, args, env, name, labels }: ContainerSpec): readonly string[] => [
  ...FIXED,
  ...FIXED_BY[runs.engine],
  "--name",
  name,
  ...labels.flatMap((label) => ["--label", label]),
  ...Object.entries(OWN_VARIABLES).flatMap(([variable, value]) => ["--env", `${variable}=${value}`]),
  ...Object.keys(env).flatMap((variable) => ["--env", variable]),
  `sha256:${runs.config}`,
  ...args,
];

/** @throws AppError("manifest_invalid") */
export const mergeEnvironments = (engine: Environment, given: Environment): Environment => {
  const both = Object.keys(given).find((name) => Object.hasOwn(engine, name));
  if (both !== undefined) throw createInvalidProgram(`The variable ${both} would change the container engine.`);

  return { ...engine, ...given };
};

const REMOVE: Readonly<Record<Engine, readonly string[]>> = { podman: ["rm", "--force", "--time", "0"], docker: ["rm", "--force"] };

export const removeContainer = async (engine: Engine, name: string, env: Environment): Promise<void> => {
  await runEngine(engine, [...REMOVE[engine], name], env).catch(() => undefined);
};

export const removeLabelled = async (engine: Engine, label: string, env: Environment): Promise<number> => {
  const ids = (await runEngine(engine, ["ps", "--all", "--quiet", "--filter", `label=${label}`], env)).split(/\s+/).filter(Boolean);
  if (ids.length > 0) await runEngine(engine, [...REMOVE[engine], ...ids], env);

  return ids.length;
};

/** Its input ends even after kill -9. */
const SWEEP = `cat >/dev/null; label=$1; shift
for pause in 1 2 4; do
  ids=$("$0" ps --all --quiet --filter "label=$label"); [ -z "$ids" ] || "$0" "$@" $ids >/dev/null
  sleep "$pause" # one could still be starting
done`;

export const startSweeper = (engine: Engine, label: string, env: Environment): void => {
  const sweeper = spawn("/bin/sh", ["-c", SWEEP, engine, label, ...REMOVE[engine]], {
    cwd: "/",
    env: { ...env, NODE_ENV: "production" },
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  sweeper.once("error", () => undefined);
  sweeper.stdin.on("error", () => undefined);
  sweeper.unref();
};
