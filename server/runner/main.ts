/** Runner process: holds the signing key, decides, executes, commits. */
import { randomUUID } from "node:crypto";
import path from "node:path";
import { workArchitectJobs } from "@/server/architect/worker";
import type { Check } from "@/lib/checks";
import { checkContainers } from "@/server/checks/containers";
import { checkMachine } from "@/server/checks/installation";
import { systemClock } from "@/server/clock";
import { readEnv } from "@/server/env";
import { log } from "@/server/log";
import { gaugeJournal } from "@/server/metrics";
import { createMcp } from "@/server/mcp/service";
import { workConsoleCalls } from "@/server/mcp/console-worker";
import { workRegistryCommands } from "@/server/mcp/registry-worker";
import { startCheckpointExport } from "@/server/notify/checkpoint-export";
import { getWebhookPolicy } from "@/server/notify/policy";
import { workNotifications } from "@/server/notify/notifications";
import { workWebhooks } from "@/server/notify/worker";
import { ownOrigin } from "@/server/own-origin";
import { listInstallationEntries, listEntries } from "@/server/models/registry";
import { createCircuits } from "@/server/models/circuits";
import { putProviderCircuit } from "@/server/store/workspaces/provider-circuits";
import { createWorkspaceModels } from "@/server/models/workspace";
import { createWorkerPool, type WorkerPool } from "@/server/worker/pool";
import { startWorker, getWorkerProgram, createWorkerSandbox } from "@/server/worker/start";
import { recordAdminStep } from "@/server/runner/admin-ledger";
import { toAlarm, raiseAlarm } from "@/server/runner/alarms";
import { startCheckpoints } from "@/server/runner/checkpoint";
import { startDispatcher } from "@/server/runner/dispatch";
import { startHealthServer } from "@/server/runner/health-server";
import { cacheFor, createReadiness } from "@/server/runner/readiness";
import { createConsoleOnce } from "@/server/runner/console-once";
import { startRetention } from "@/server/runner/retention";
import { startRotations } from "@/server/runner/rotation";
import { createSaidKeeper } from "@/server/runner/said";
import { createStopSwitches, refuseWhileStopped, silenceWhileStopped } from "@/server/runner/stop-switch";
import { findKeyMismatch } from "@/server/runner/key-check";
import { createMcpStepRecorder } from "@/server/runner/mcp-record";
import { readAskedByUser } from "@/server/runner/user-request";
import { createLogoutTokenVerifier } from "@/server/runner/sign-in/logout-token";
import { createIdTokenVerifier } from "@/server/runner/sign-in/id-token";
import type { SignInDeps } from "@/server/runner/sign-in/outcome";
import { workSignIns } from "@/server/runner/sign-in/worker";
import { learnKeptCheckpoints } from "@/server/runner/saved-checkpoints";
import { workTriggers } from "@/server/runner/triggers/worker";
import { verifySignedChange } from "@/server/runner/signed-change";
import { createCodeRunner } from "@/server/code/code-runner";
import { createLiveSigner, watchSigner } from "@/server/runner/signing";
import { openChannels } from "@/server/runner/channels";
import { createDescribeForAll, createNotificationDeps } from "@/server/runner/notification-deps";
import { createReadOutputs } from "@/server/runner/webhook-outputs";
import { createNotifier } from "@/server/runner/notify";
import type { RunnerDeps } from "@/server/runner/deps";
import { probeIsolation } from "@/server/sandbox/probe";
import { getMcpPolicy } from "@/server/security/mcp-policy";
import { JournalRefused } from "@/server/security/journal/files";
import { openJournal } from "@/server/security/journal/journal";
import { loadSigner } from "@/server/security/keyring";
import { loadVault } from "@/server/security/vault";
import { ensureInbox } from "@/server/seed/inbox-folder";
import { beat, endBeat, HEARTBEAT_MS } from "@/server/store/health";
import { createAuthorityReader } from "@/server/store/trust/authority";
import { listHandovers, listPublicKeys } from "@/server/security/trust-anchor";
import { createToolHosts } from "@/server/tool-host/connector";
import { startTracing } from "@/server/trace-setup";
import { isIsolated, isSwitchedOff, SANDBOX_OFF, type Isolation } from "@/lib/mcp/isolation";
import { terminalText } from "@/lib/terminal-text.mjs";

const LEASE_MS = 10_000;
const CHECK_MS = 60_000;

const databaseUrl = (): string => {
  const url = readEnv().DATABASE_URL;
  if (url === undefined) throw new Error("DATABASE_URL is not set");

  return url;
};

const identityProvider = (deps: Pick<RunnerDeps, "clock" | "journal">): Pick<SignInDeps, "verifyIdToken" | "verifyLogoutToken"> => {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_ALLOWED_DOMAINS: allowedDomains } = readEnv();

  if (issuer === undefined || clientId === undefined) return { verifyIdToken: null, verifyLogoutToken: null };
  const provider = { issuer, clientId, allowedDomains };

  return { verifyIdToken: createIdTokenVerifier(deps, provider), verifyLogoutToken: createLogoutTokenVerifier(deps, provider) };
};

const workerEnv = (): Record<string, string> => {
  const { HTTP_PROXY, HTTPS_PROXY, NO_PROXY, NODE_EXTRA_CA_CERTS } = readEnv();

  return Object.fromEntries(
    Object.entries({ HTTP_PROXY, HTTPS_PROXY, NO_PROXY, NODE_EXTRA_CA_CERTS }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
};

const openWorkers = (home: string, isolation: Isolation): WorkerPool => {
  const place = { root: process.cwd(), home, program: getWorkerProgram() };
  const variables = workerEnv();
  const sandbox = createWorkerSandbox(place, variables["NODE_EXTRA_CA_CERTS"] ?? null, isIsolated(isolation));

  return createWorkerPool({ start: () => startWorker(place, variables, sandbox), maxProcesses: readEnv().COUNTERSIGN_WORKERS });
};

const main = async (): Promise<void> => {
  const {
    COUNTERSIGN_HOME: home,
    COUNTERSIGN_RUNNER_PORT: port,
    COUNTERSIGN_RUNNER_HOST: host,
    COUNTERSIGN_METRICS_TOKEN: token,
  } = readEnv();
  const {
    COUNTERSIGN_CONCURRENT_RUNS: concurrency,
    COUNTERSIGN_RUNS_PER_WORKSPACE: perWorkspace,
    COUNTERSIGN_DRAIN_MS: drainMs,
  } = readEnv();
  const { COUNTERSIGN_JOIN: isJoining, COUNTERSIGN_CHECKPOINT_DIR } = readEnv();
  const vault = loadVault(home);
  const probed =
    readEnv().COUNTERSIGN_SANDBOX === "off"
      ? SANDBOX_OFF
      : probeIsolation(process.cwd(), path.join(home, "scratch"), readEnv().COUNTERSIGN_SERVER_UIDS.first);
  const foreign = isJoining ? await findKeyMismatch(home, loadSigner(home), vault) : null;
  if (foreign !== null) {
    process.stderr.write(terminalText(`The runner cannot start: ${foreign}\n`));
    process.exit(1);
  }
  const journal = await openJournal(home, systemClock)
    .then(async (opened) => {
      await learnKeptCheckpoints(COUNTERSIGN_CHECKPOINT_DIR, { journal: opened, publicKeys: listPublicKeys });

      return opened;
    })
    .catch((error: unknown) => {
      if (!(error instanceof JournalRefused)) throw error;
      log().fatal({ code: error.code }, "the runner cannot start without its journal");
      process.stderr.write(terminalText(`The runner cannot start: ${error.message}\n`));

      return process.exit(1);
    });
  gaugeJournal(journal.since);
  const tracing = await startTracing("countersign-runner");
  await ensureInbox(home);
  const live = await createLiveSigner(home, systemClock);
  const { signer } = live;
  const readiness = createReadiness(systemClock, signer);
  const listener = port === undefined ? null : await startHealthServer({ host, port, token }, systemClock, readiness);
  const notifier = createNotifier();
  const authority = createAuthorityReader({
    publicKeys: listPublicKeys,
    handovers: listHandovers,
    journal,
    onFault: (error) => void raiseAlarm({ clock: systemClock }, toAlarm(error)),
  });
  const toolHosts = createToolHosts({
    installation: { home, root: process.cwd() },
    program: path.join(import.meta.dirname, "tool-host.mjs"),
    isolation: probed,
    sandboxLevel: readEnv().COUNTERSIGN_SANDBOX,
    egress: getMcpPolicy(),
    messages: getWebhookPolicy(),
    maxProcesses: readEnv().COUNTERSIGN_TOOL_HOSTS,
  });
  const mcp = createMcp({
    authority,
    connector: toolHosts.connector,
    clock: systemClock,
    vault,
    record: createMcpStepRecorder({ authority, clock: systemClock, signer }),
    verifyChange: (workspaceId, userId, change) => verifySignedChange(authority, workspaceId, userId, change),
  });
  const installation = listInstallationEntries(readEnv());
  const isolation = await probed;
  const workers = openWorkers(home, isolation);
  const models = listEntries(installation, systemClock);
  const circuits = createCircuits(systemClock, (place, circuit) => {
    putProviderCircuit(place, circuit).catch((error: unknown) => {
      log().warn({ error: String(error) }, "the state of a model's provider was not kept");
    });
  });
  const modelsFor = createWorkspaceModels({ installation, vault, clock: systemClock, call: workers.callModel, circuits });
  const switches = createStopSwitches(authority);
  const deps: RunnerDeps = {
    authority,
    clock: systemClock,
    signer,
    vault,
    mcp,
    journal,
    modelsFor,
    circuits,
    said: createSaidKeeper(vault, notifier.notify),
    execute: workers.execute,
    code: createCodeRunner({
      root: process.cwd(),
      scratch: path.join(home, "scratch"),
      isolation: async () => probed,
      users: readEnv().COUNTERSIGN_SERVER_UIDS,
    }),
    publicKeys: listPublicKeys,
    notify: notifier.notify,
    leaseMs: LEASE_MS,
    switches,
  };
  if (live.unconfirmed.length > 0) {
    await raiseAlarm(deps, { kind: "unconfirmed_keys", workspaceId: null, runId: null, detail: live.unconfirmed.join(", ") });
  }
  const { channels, standing } = openChannels(deps, home, toolHosts);
  const runnerId = randomUUID();
  const stopped = new AbortController();
  // Before the first call of an upgraded server.
  await mcp.takeOverPrograms();
  const dispatcher = await startDispatcher(deps, databaseUrl(), { concurrency, perWorkspace });
  const checkpoints = startCheckpoints(deps);
  const rotations = startRotations(deps);
  const retention = startRetention(deps);
  const registry = workRegistryCommands(mcp, readAskedByUser(deps), stopped.signal);
  const tryOuts = workConsoleCalls(
    {
      tryOut: refuseWhileStopped(switches, mcp.tryOut),
      readAsked: readAskedByUser(deps),
      vault: deps.vault,
      spend: createConsoleOnce(deps),
      record: (workspaceId, step) => recordAdminStep(deps, workspaceId, { area: "mcp", ...step }),
    },
    stopped.signal,
  );
  const signIns = workSignIns({ ...deps, ...identityProvider(deps), newWorkspaces: readEnv().COUNTERSIGN_NEW_WORKSPACES }, stopped.signal);
  const architect = workArchitectJobs({ ...deps, modelsFor: silenceWhileStopped(switches, modelsFor) }, stopped.signal);
  const triggers = workTriggers(deps, { mailbox: toolHosts.mailbox, resources: mcp.resources }, stopped.signal);
  const webhooks = workWebhooks(
    {
      clock: systemClock,
      vault: deps.vault,
      send: toolHosts.send,
      origin: ownOrigin(),
      describe: createDescribeForAll(deps),
      readOutputs: createReadOutputs(deps),
    },
    stopped.signal,
  );
  const notifications = workNotifications(createNotificationDeps(deps, channels), stopped.signal);
  const checkpointExport = startCheckpointExport(COUNTERSIGN_CHECKPOINT_DIR);
  const readChecks = cacheFor(systemClock, CHECK_MS, () =>
    Promise.all([checkMachine({ home, root: process.cwd(), databaseUrl: databaseUrl(), isolation }), checkContainers(home)]).then(
      (found) => found.flat(),
      () => [],
    ),
  );
  let checks: readonly Check[] = [];
  const sayAlive = async (): Promise<void> => {
    // Never waited for: a slow database must not silence the runner.
    void readChecks().then((found) => (checks = found));
    await beat(runnerId, {
      models,
      programs: await mcp.programs(),
      isolation,
      checks,
      ...standing,
    });
  };
  const beating = setInterval(() => {
    sayAlive()
      .then(readiness.beaten)
      .catch((error: unknown) => log().warn({ error: String(error) }, "the heartbeat was not written"));
  }, HEARTBEAT_MS);
  await sayAlive();
  readiness.beaten();
  if (!isIsolated(isolation) && !isSwitchedOff(isolation))
    log().warn({ reason: isolation.reason }, "MCP servers are not isolated on this machine");
  log().info({ runner: runnerId, kid: signer.kid }, "the runner is ready");
  if (isJoining) process.stderr.write(`The runner ${runnerId} is ready and drives up to ${concurrency} runs at once (Ctrl-C stops it)\n`);

  const stop = async (): Promise<void> => {
    log().info({ runner: runnerId, drain_ms: drainMs }, "the runner stops: it takes no more runs and puts down those it drives");
    readiness.drain();
    stopped.abort();
    await dispatcher.close(drainMs);
    clearInterval(beating);
    await signing.close();
    switches.close();
    await checkpoints.close();
    await checkpointExport.close();
    await rotations.close();
    await retention.close();
    await Promise.all([registry, tryOuts, signIns, architect, triggers, webhooks, notifications]);
    await notifier.close();
    await mcp.close();
    await workers.close();
    await journal.close();
    await endBeat(runnerId);
    await listener?.close();
    await tracing?.close();
    process.exit(0);
  };
  const signing = watchSigner(live, (error) => {
    log().fatal({ error: error.message }, "the runner signs nothing any more and stops");
    process.exit(1);
  });
  let isStopping = false;
  const onSignal = (): void => {
    // Another runner recovers, as from a crash.
    if (isStopping) process.exit(1);
    isStopping = true;
    void stop().catch((error: unknown) => {
      log().fatal({ error: error instanceof Error ? error.stack : String(error) }, "the runner could not stop in order");
      process.exit(1);
    });
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, onSignal);
};

main().catch((error: unknown) => {
  log().fatal({ error: error instanceof Error ? error.stack : String(error) }, "the runner could not start");
  process.exit(1);
});
