import { randomBytes } from "node:crypto";
import { setTimeout as timer } from "node:timers/promises";
import { Suspended, WorkerLost, type ExecuteNode, type NodeWork } from "@/server/executors/contract";
import { PeerLost, RemoteFailure } from "@/server/ipc/errors";
import type { Peer } from "@/server/ipc/peer";
import { createProcessPool, type PoolTimes } from "@/server/ipc/process-pool";
import type { ChannelProcess } from "@/server/ipc/spawn";
import { ModelError, type ModelCall, type NoteSaid, type RawAnswer } from "@/server/models/contract";
import { countWorkerLost } from "@/server/metrics";
import { describeFailure, restoreFailure } from "./failures";
import { createExecutions, type Execution } from "./executions";
import { controlProtocol, workerProtocol } from "./protocol";

const STOP_MS = 10_000;
const ID_BYTES = 16;
/** Rate of a streaming call; a worker waits for each answer. */
const SAID_EVERY_MS = 40;
/** For a worker that exceeds its call's limit. */
const CALL_GRACE_MS = 10_000;

type Worker = Peer<typeof workerProtocol>;

export type WorkerPoolOptions = {
  readonly start: () => ChannelProcess;
  /** Concurrent workspaces; others wait. */
  readonly maxProcesses: number;
  readonly times?: PoolTimes;
};

export type WorkerPool = {
  readonly execute: ExecuteNode;
  readonly callModel: (workspaceId: string, call: ModelCall, signal: AbortSignal, note?: NoteSaid) => Promise<RawAnswer>;
  readonly pids: () => readonly number[];
  readonly close: () => Promise<void>;
};

const lostCall = (): ModelError =>
  new ModelError("model_failed", true, "The process that called the model ended before the answer came.", { billed: "maybe" });

const lateCall = (): ModelError => new ModelError("model_timeout", true, "The model did not answer in time.", { billed: "maybe" });

/** An honest worker suspends only when told, or when its verdicts decided the case. */
const maySuspend = ({ kind, input }: NodeWork, execution: Execution): boolean =>
  execution.wasSuspended() || (kind === "verification" && (execution.verdicts() > 0 || input.asked.length === 0));

const errorOf = (worker: Worker, failure: RemoteFailure, isAllowed: (error: Error) => boolean): Error => {
  const error = restoreFailure(failure);
  if (error && isAllowed(error)) return error;
  worker.close("breach");

  return new WorkerLost();
};

const execute = async (worker: Worker, execution: Execution, work: NodeWork, signal: AbortSignal) => {
  let force: NodeJS.Timeout | undefined;
  const stop = (): void => {
    execution.stop();
    worker.call("stop", { execution: execution.id }).catch(() => undefined);
    force = setTimeout(() => worker.close("unresponsive"), STOP_MS);
  };
  signal.addEventListener("abort", stop, { once: true });
  try {
    if (signal.aborted) throw new Suspended();
    const outcome = await worker.call("execute", { ...work, execution: execution.id });
    const fault = execution.fault();
    if (fault) throw fault;

    return outcome;
  } catch (error) {
    const fault = execution.fault();
    if (fault) throw fault;
    if (error instanceof RemoteFailure) {
      throw errorOf(worker, error, (restored) => !(restored instanceof Suspended) || signal.aborted || maySuspend(work, execution));
    }
    if (!(error instanceof PeerLost)) throw error;
    // Started calls are recorded before the attempt counts as failed.
    await execution.settled();
    throw execution.fault() ?? new WorkerLost();
  } finally {
    execution.end();
    clearTimeout(force);
    signal.removeEventListener("abort", stop);
  }
};

/** Creates workers; a workspace has one process at a time. */
export const createWorkerPool = ({ start, maxProcesses, times }: WorkerPoolOptions): WorkerPool => {
  const executions = createExecutions();
  const streams = new Map<string, { readonly key: string; readonly note: NoteSaid }>();
  const pool = createProcessPool({
    name: "worker",
    start,
    serves: controlProtocol,
    handlersFor: (key) => ({
      ...executions.handlersFor(key),
      said: async ({ stream, ...said }) => {
        const known = streams.get(stream);
        // Also after the call's end, when it is not heard.
        if (known?.key === key) known.note(said);
        await timer(SAID_EVERY_MS);

        return null;
      },
    }),
    calls: workerProtocol,
    describeError: describeFailure,
    maxProcesses,
    hasSpare: true,
    onLost: (_workspace, reason) => countWorkerLost(reason),
    ...(times ? { times } : {}),
  });

  return {
    execute: async (work, gateways, signal) => {
      const { workspace } = work.input;
      try {
        return await pool.use(workspace, (worker) => execute(worker, executions.begin(workspace, gateways), work, signal), signal);
      } catch (error) {
        // It did not start.
        throw error instanceof PeerLost ? new WorkerLost() : error;
      }
    },
    callModel: async (workspaceId, call, signal, note) => {
      const stream = note ? randomBytes(ID_BYTES).toString("hex") : null;
      if (stream !== null && note) streams.set(stream, { key: workspaceId, note });
      const late = AbortSignal.timeout(call.request.timeoutMs + CALL_GRACE_MS);
      const either = AbortSignal.any([signal, late]);
      const generate = async (worker: Worker): Promise<RawAnswer> => {
        try {
          return await worker.call("generate", { ...call, stream }, either);
        } catch (error) {
          if (!(error instanceof RemoteFailure)) throw error;
          const restored = errorOf(worker, error, (each) => !(each instanceof Suspended));
          throw restored instanceof ModelError ? restored : lostCall();
        }
      };
      try {
        return await pool.use(workspaceId, generate, either);
      } catch (error) {
        signal.throwIfAborted();
        if (late.aborted) throw lateCall();
        throw error instanceof PeerLost ? lostCall() : error;
      } finally {
        if (stream !== null) streams.delete(stream);
      }
    },
    pids: () => pool.pids(),
    close: () => pool.close(),
  };
};
