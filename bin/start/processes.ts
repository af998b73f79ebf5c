import fs from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import type { SandboxPolicy } from "../../server/sandbox/policy.ts";
import { probeIsolation } from "../../server/sandbox/probe.ts";
import { buildRunnerPolicy, buildWebPolicy } from "../../server/sandbox/process-policy.ts";
import { superviseChild, type Child } from "./child.ts";
import type { DatabaseUrls, HeldUrls } from "./database-file.ts";
import { pickEnv } from "./environment.ts";
import { readSecret } from "./home.ts";
import { RUNNER_ARGS, WEB_ARGS } from "./node-args.ts";
import { say } from "./progress.ts";
import { ROOT, type Settings } from "./settings.ts";

/** The web asks for ID tokens; the runner verifies them. */
const ofWeb =
  /^(?:OIDC|NEXTAUTH)_\w+$|^COUNTERSIGN_(?:MCP_ORIGINS|WEBHOOK_ORIGINS|METRICS_TOKEN|TRUSTED_PROXIES|SLACK_SIGNING_SECRET|NEW_WORKSPACES|FILE_MIB|WORKSPACE_FILES_MIB)$/u;
const ofRunner =
  /^(?:ANTHROPIC|OPENAI|GOOGLE)_\w+$|^OIDC_(?:ISSUER|CLIENT_ID|ALLOWED_DOMAINS)$|^COUNTERSIGN_(?:MODEL_PRICES|MCP_ORIGINS|WEBHOOK_ORIGINS|SMTP_URL|SMTP_FROM|MAIL_VALUES|SLACK_TOKEN|SLACK_ORIGIN|CHECKPOINT_DIR|CONCURRENT_RUNS|RUNS_PER_WORKSPACE|WORKERS|TOOL_HOSTS|RUNNER_PORT|RUNNER_HOST|METRICS_TOKEN|DRAIN_MS|SANDBOX|SERVER_UIDS|NEW_WORKSPACES|FILE_MIB|WORKSPACE_FILES_MIB)$|^(?:HTTPS?|NO)_PROXY$/iu;

export const webEnv = ({ home, host, port, loopback, url }: Settings, urls: HeldUrls): NodeJS.ProcessEnv => ({
  ...pickEnv(ofWeb),
  NODE_ENV: "production",
  NEXT_TELEMETRY_DISABLED: "1",
  COUNTERSIGN_HOME: home,
  COUNTERSIGN_LOOPBACK: loopback ? "1" : "",
  HOST: host,
  PORT: String(port),
  DATABASE_URL: urls.web,
  NEXTAUTH_URL: url,
  NEXTAUTH_SECRET: readSecret(home, "session.key"),
});

export const runnerEnv = ({ home, url }: Settings, urls: HeldUrls): NodeJS.ProcessEnv => ({
  ...pickEnv(ofRunner),
  NODE_ENV: "production",
  COUNTERSIGN_HOME: home,
  // The system's temporary folder may be out of its reach.
  TMPDIR: path.join(home, "scratch"),
  DATABASE_URL: urls.runner,
  NEXTAUTH_URL: url,
  COUNTERSIGN_CUSTOMERS_URL: urls.customers,
});

const ofContainers =
  /^(?:XDG_(?:RUNTIME_DIR|CONFIG_HOME|DATA_HOME)|DBUS_SESSION_BUS_ADDRESS|CONTAINERS_\w+|DOCKER_\w+|COUNTERSIGN_MCP_ORIGINS)$/u;

const listSchema = z.object({ programs: z.array(z.object({ runs: z.object({ kind: z.string() }) })) });

const hasContainerServers = (home: string): boolean => {
  try {
    const list = fs.readFileSync(path.join(home, "keys", "programs.json"), "utf8");

    return listSchema.parse(JSON.parse(list)).programs.some(({ runs }) => runs.kind === "image");
  } catch {
    return false;
  }
};

/** Unsandboxed: engines mount. */
export const startContainerBroker = ({ home }: Settings): readonly Child[] =>
  hasContainerServers(home)
    ? [
        superviseChild({
          name: "containers",
          args: [path.join(home, "build", "containers.mjs")],
          cwd: ROOT,
          env: { ...pickEnv(ofContainers), NODE_ENV: "production", COUNTERSIGN_HOME: home },
          logFile: path.join(home, "log", "containers.log"),
          sandbox: null,
          onGivenUp: (words) => say(`  ! Container servers do not start: ${words}`),
        }),
      ]
    : [];

/** Includes COUNTERSIGN_DRAIN_MS. */
const runnerGraceMs = (): number => (Number(process.env["COUNTERSIGN_DRAIN_MS"]) || 25_000) + 15_000;

const canIsolate = async ({ home }: Settings): Promise<boolean> =>
  process.env["COUNTERSIGN_SANDBOX"] !== "off" && (await probeIsolation(ROOT, path.join(home, "scratch"))).holds.length > 0;

/** Null: the machine has none. */
export const webSandbox = async (settings: Settings, urls: HeldUrls): Promise<(() => SandboxPolicy) | null> => {
  const { home, port } = settings;
  const certificates = process.env["NODE_EXTRA_CA_CERTS"] || null;

  return (await canIsolate(settings))
    ? () => buildWebPolicy({ home, root: ROOT }, { port, databaseUrl: urls.web ?? "", certificates })
    : null;
};

/** Null: the machine has none. */
export const runnerSandbox = async (settings: Settings): Promise<(() => SandboxPolicy) | null> =>
  (await canIsolate(settings)) ? () => buildRunnerPolicy({ home: settings.home, root: ROOT }) : null;

/** @param onGivenUp one of them keeps crashing */
export const startProcesses = async (
  settings: Settings,
  urls: DatabaseUrls,
  onGivenUp: (sentence: string) => void,
): Promise<readonly Child[]> => {
  const { home, host, port } = settings;
  const sandboxes = { runner: await runnerSandbox(settings), web: await webSandbox(settings, urls) };
  const logFile = (name: string): string => path.join(home, "log", `${name}.log`);
  const givenUp = (name: string) => (words: string) =>
    onGivenUp(`The ${name} process keeps crashing. Last output (full log: ${logFile(name)}):\n${words}`);
  const next = path.join(ROOT, "node_modules", "next", "dist", "bin", "next");

  return [
    ...startContainerBroker(settings),
    superviseChild({
      name: "runner",
      args: [...RUNNER_ARGS, path.join(home, "build", "runner.mjs")],
      cwd: ROOT,
      env: runnerEnv(settings, urls),
      logFile: logFile("runner"),
      sandbox: sandboxes.runner,
      graceMs: runnerGraceMs(),
      onGivenUp: givenUp("runner"),
    }),
    superviseChild({
      name: "web",
      args: [...WEB_ARGS, next, "start", "-p", String(port), "-H", host],
      cwd: ROOT,
      env: webEnv(settings, urls),
      logFile: logFile("web"),
      sandbox: sandboxes.web,
      onGivenUp: givenUp("web"),
    }),
  ];
};

const lookEveryMs = 200;

export const isHealthy = async ({ host, port }: Settings, timeoutMs: number, signal: AbortSignal): Promise<boolean> => {
  const reachable = host === "0.0.0.0" || host === "::" ? "localhost" : host;
  const url = `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}/api/health`;
  const deadlineMs = Date.now() + timeoutMs;

  while (Date.now() < deadlineMs && !signal.aborted) {
    const answer = await fetch(url, { signal: AbortSignal.timeout(5_000) }).catch(() => null);

    await answer?.body?.cancel();
    if (answer?.ok === true) return true;
    await wait(lookEveryMs);
  }

  return false;
};
