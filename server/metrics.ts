/** Labels come from small, fixed sets: never a run, workspace, graph, model or foreign text. */
import type { Usage } from "@/lib/engine/usage";
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { ErrorCode } from "@/lib/errors";
import type { EventOf } from "@/lib/engine/event";
import type { RefusalCode } from "@/lib/refusal";
import type { AlarmKind } from "@/lib/trust-alarm";
import type { PeerLostReason } from "@/server/ipc/errors";

export type DriveOutcome =
  | "completed"
  | "failed"
  | "timeout"
  | "budget_exceeded"
  | "cancelled"
  | "waiting"
  | "retrying"
  | "stopped"
  /** Drained: another runner continues. */
  | "put_down"
  | "lease_lost"
  | "error";

/** `own`: any of a workspace's. */
export type ModelProvider = "anthropic" | "openai" | "openai-compatible" | "scripted" | "own";

export type ModelCall = {
  readonly provider: ModelProvider;
  /** `given_up`: aborted by the caller. */
  readonly outcome: "ok" | "given_up" | "model_failed" | "model_timeout" | "model_rate_limited" | "other";
  readonly seconds: number;
  /** Null without a countable answer. */
  readonly usage: Omit<Usage, "model" | "price_source"> | null;
};

/** `not_called`: nothing was sent; `failed`: aborted. */
export type ToolOutcome =
  | "ok"
  | "tool_error"
  | "input_required"
  | "unavailable"
  | "drifted"
  | "not_allowed"
  | "unauthorized"
  | "not_called"
  | "failed";

/** Over all workspaces. Ages in seconds; 0 when empty. */
export type Backlog = {
  readonly runners: number;
  readonly dueRuns: number;
  readonly oldestDueSeconds: number;
  readonly openApprovals: number;
  /** Null without one. */
  readonly checkpointAgeSeconds: number | null;
  readonly pendingDeliveries: number;
  readonly oldestDeliverySeconds: number;
};

const FAST_SECONDS = [0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];
const CALL_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];
const ASKED_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const BATCH_SIZES = [1, 2, 4, 8, 16, 32, 64, 128];

const runnerFamilies = (registry: Registry) => {
  const registers = [registry];
  const counter = <L extends string = never>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Counter({ name: `countersign_${name}`, help, labelNames, registers });
  const gauge = (name: string, help: string) => new Gauge({ name: `countersign_${name}`, help, registers });
  const histogram = <L extends string = never>(name: string, help: string, buckets: number[], labelNames: readonly L[] = []) =>
    new Histogram({ name: `countersign_${name}`, help, buckets, labelNames, registers });

  return {
    steps: counter("steps_total", "Proposals that were decided and stored, by verdict.", ["verdict"]),
    thresholds: counter("budget_thresholds_total", "Thresholds of budgets that were passed, by measure and percent.", [
      "measure",
      "percent",
    ]),
    refusals: counter("refusals_total", "Proposals that were refused, by the refusal's code.", ["code"]),
    commitSeconds: histogram("commit_seconds", "Duration of the statement that stores records.", FAST_SECONDS),
    commitRecords: histogram("commit_batch_records", "Records that one such statement stores.", BATCH_SIZES),
    leasesLost: counter("leases_lost_total", "Runs that lost their lease to another runner while working."),
    workersLost: counter("workers_lost_total", "Worker processes that ended, hung or broke their protocol, by reason.", ["reason"]),
    driven: counter("runs_driven_total", "Drives of runs that are over, by what became of them.", ["outcome"]),
    active: gauge("active_runs", "Runs that this process drives at the moment."),
    modelCalls: counter("model_calls_total", "Calls of models, by provider and outcome.", ["provider", "outcome"]),
    modelSeconds: histogram("model_call_seconds", "Duration of calls of models.", CALL_SECONDS, ["provider"]),
    modelTokens: counter("model_tokens_total", "Tokens of answered calls, as their providers count them.", ["provider", "direction"]),
    modelSpend: counter("model_micro_usd_total", "Price of answered calls, in millionths of a US dollar.", ["provider"]),
    toolCalls: counter("tool_calls_total", "Calls of tools, by outcome.", ["outcome"]),
    toolSeconds: histogram("tool_call_seconds", "Duration of calls of tools, waiting for their turn included.", CALL_SECONDS, ["outcome"]),
    trustAlarms: counter("trust_alarms_total", "Signs of tampering with the installation, by reason.", ["reason"]),
    checkpointsFailed: counter("checkpoints_failed_total", "Checkpoints of workspaces that could not be taken."),
    rollbacks: counter("rollbacks_total", "Times the database had less history than known, or a different one, by kind.", ["kind"]),
    journalSince: gauge("journal_since_timestamp_seconds", "Since when this runner's journal knows anything; a new one knows nothing."),
    runners: gauge("runners", "Runners that are alive, as the database knows them."),
    dueRuns: gauge("due_runs", "Runs that are due and have no runner."),
    oldestDue: gauge("due_run_oldest_seconds", "For how long the first of them has been waiting."),
    approvals: gauge("open_approvals", "Approvals that wait for a person."),
    checkpointAge: gauge("checkpoint_age_seconds", "Since when no workspace has a newer checkpoint."),
    deliveries: gauge("webhook_pending_deliveries", "Notifications that are still to be sent."),
    oldestDelivery: gauge("webhook_oldest_due_seconds", "For how long the first of those that are due has been due."),
  };
};

const webFamilies = (registry: Registry) => {
  const registers = [registry];

  return {
    procedures: new Histogram({
      name: "countersign_procedure_seconds",
      help: "Duration of procedures, by name and by `ok` or the code of the error; of one whose answer stays open, until it is open.",
      labelNames: ["procedure", "code"] as const,
      buckets: ASKED_SECONDS,
      registers,
    }),
    streams: new Gauge({ name: "countersign_open_streams", help: "Answers that stay open (server-sent events).", registers }),
    authorityFaults: new Counter({
      name: "countersign_authority_faults_total",
      help: "Rows that grant access and differ from the signed records, or records that did not verify.",
      labelNames: ["reason"] as const,
      registers,
    }),
    waiting: new Gauge({ name: "countersign_commands_waiting", help: "Commands with a caller waiting for the answer.", registers }),
  };
};

type Held = {
  registry: Registry | null;
  runner: ReturnType<typeof runnerFamilies> | null;
  web: ReturnType<typeof webFamilies> | null;
};

/** A web bundler may load this module more than once. */
const held = Symbol.for("countersign.metrics");

// A symbol property of globalThis has no declared type.
const slot = globalThis as unknown as { [held]?: Held };

const metrics = (): Held => (slot[held] ??= { registry: null, runner: null, web: null });

const registryOf = (): Registry => (metrics().registry ??= new Registry());

/** Lazy, so that a web process shows none of a runner's. */
const runner = () => (metrics().runner ??= runnerFamilies(registryOf()));
const web = () => (metrics().web ??= webFamilies(registryOf()));

export const startStopwatch = (): (() => number) => {
  const from = performance.now();

  return () => (performance.now() - from) / 1_000;
};

export const countStep = (step: { readonly verdict: "accepted" } | { readonly verdict: "refused"; readonly code: RefusalCode }): void => {
  runner().steps.inc({ verdict: step.verdict });
  if (step.verdict === "refused") runner().refusals.inc({ code: step.code });
};

export const countBudgetThreshold = ({ measure, percent }: Pick<EventOf<"budget_threshold">, "measure" | "percent">): void =>
  runner().thresholds.inc({ measure, percent: String(percent) });

export const observeCommit = (seconds: number, batchSize: number): void => {
  runner().commitSeconds.observe(seconds);
  runner().commitRecords.observe(batchSize);
};

export const countTrustAlarm = (reason: AlarmKind): void => runner().trustAlarms.inc({ reason });

export const countWorkerLost = (reason: PeerLostReason): void => runner().workersLost.inc({ reason });

export const countLeaseLost = (): void => runner().leasesLost.inc();

export const countRunDriven = (outcome: DriveOutcome): void => runner().driven.inc({ outcome });

export const gaugeActiveRuns = (runs: number): void => runner().active.set(runs);

export const countModelCall = ({ provider, outcome, seconds, usage }: ModelCall): void => {
  const { modelCalls, modelSeconds, modelTokens, modelSpend } = runner();
  modelCalls.inc({ provider, outcome });
  modelSeconds.observe({ provider }, seconds);
  if (!usage) return;
  modelTokens.inc({ provider, direction: "input" }, usage.input_tokens);
  modelTokens.inc({ provider, direction: "cached" }, usage.cached_input_tokens ?? 0);
  modelTokens.inc({ provider, direction: "output" }, usage.output_tokens);
  modelTokens.inc({ provider, direction: "reasoning" }, usage.reasoning_tokens ?? 0);
  modelSpend.inc({ provider }, usage.cost_micro_usd);
};

export const observeToolCall = ({ outcome, seconds }: { readonly outcome: ToolOutcome; readonly seconds: number }): void => {
  runner().toolCalls.inc({ outcome });
  runner().toolSeconds.observe({ outcome }, seconds);
};

export const countCheckpointFailed = (): void => runner().checkpointsFailed.inc();

export const countRollback = (kind: "head" | "checkpoint" | "receipt"): void => runner().rollbacks.inc({ kind });

export const gaugeJournal = (sinceMs: number): void => runner().journalSince.set(sinceMs / 1_000);

export const observeProcedure = (name: string, code: "ok" | ErrorCode, seconds: number): void =>
  web().procedures.observe({ procedure: name, code }, seconds);

export const openStream = (): (() => void) => {
  web().streams.inc();

  return () => web().streams.dec();
};

export const countAuthorityFault = (reason: "projection_mismatch" | "ledger_invalid"): void => web().authorityFaults.inc({ reason });

export const waitForCommand = (): (() => void) => {
  web().waiting.inc();

  return () => web().waiting.dec();
};

/** Unknown values are NaN, not 0. */
const showBacklog = (backlog: Backlog | null): void => {
  const families = runner();
  families.runners.set(backlog?.runners ?? Number.NaN);
  families.dueRuns.set(backlog?.dueRuns ?? Number.NaN);
  families.oldestDue.set(backlog?.oldestDueSeconds ?? Number.NaN);
  families.approvals.set(backlog?.openApprovals ?? Number.NaN);
  families.checkpointAge.set(backlog?.checkpointAgeSeconds ?? Number.NaN);
  families.deliveries.set(backlog?.pendingDeliveries ?? Number.NaN);
  families.oldestDelivery.set(backlog?.oldestDeliverySeconds ?? Number.NaN);
};

export const measureProcess = (): void => {
  if (!registryOf().getSingleMetric("process_cpu_seconds_total")) collectDefaultMetrics({ register: registryOf() });
};

export type MetricsPage = { readonly contentType: string; readonly text: string };

const page = async (): Promise<MetricsPage> => ({ contentType: registryOf().contentType, text: await registryOf().metrics() });

/** Renders metrics. @param backlog null without a database */
export const collectRunnerMetrics = (backlog: Backlog | null): Promise<MetricsPage> => {
  measureProcess();
  showBacklog(backlog);

  return page();
};

export const collectWebMetrics = (): Promise<MetricsPage> => {
  measureProcess();
  web();

  return page();
};
