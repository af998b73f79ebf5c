/** Worker process, without keys or database. */
import { Suspended, type ExecutorOutcome, type Gateways } from "@/server/executors/contract";
import { executeInProcess } from "@/server/executors/registry";
import { RemoteFailure } from "@/server/ipc/errors";
import { connectToParent } from "@/server/ipc/parent";
import type { Peer } from "@/server/ipc/peer";
import { MAX_SAID_CHARACTERS } from "@/lib/engine/said-so-far";
import type { NoteSaid, SaidSoFar } from "@/server/models/contract";
import { createModelCaller } from "@/server/models/sdk/language-models";
import { describeFailure, restoreFailure } from "./failures";
import { controlProtocol, workerProtocol } from "./protocol";

const MAX_DETAIL_CHARS = 10_000;
const OVER = new DOMException("The attempt is over.", "AbortError");

const models = createModelCaller();
const running = new Map<string, AbortController>();

/** @throws Suspended once the attempt is over, or the gateway's error */
const ask = async <T>(signal: AbortSignal, call: () => Promise<T>): Promise<T> => {
  if (signal.aborted) throw new Suspended();
  try {
    return await call();
  } catch (error) {
    throw error instanceof RemoteFailure ? (restoreFailure(error) ?? error) : error;
  }
};

const gatewaysOf = (execution: string, signal: AbortSignal): Gateways => ({
  tools: { call: (request) => ask(signal, () => control.call("tool", { execution, request })) },
  models: {
    generate: (request) =>
      ask(signal, () =>
        control.call("model", {
          execution,
          request: { ...request, thread: [...request.thread], fresh: [...request.fresh], tools: [...request.tools] },
        }),
      ),
  },
  actions: { propose: (action) => ask(signal, () => control.call("action", { execution, action: action as never })) },
  tasks: {
    failed: async (task, code, detail) => {
      await ask(signal, () => control.call("task_failed", { execution, task, code, detail: detail.slice(0, MAX_DETAIL_CHARS) }));
    },
  },
  code: { run: () => ask(signal, () => control.call("code", { execution })) },
  verdicts: { given: (task) => ask(signal, () => control.call("verdict", { execution, task })) },
});

/** Newest only, one at a time: a slow control plane slows no call. */
const tellSaid = (stream: string): NoteSaid => {
  let newest: SaidSoFar | null = null;
  let isTelling = false;
  const tell = async (): Promise<void> => {
    isTelling = true;
    while (newest !== null) {
      const { text, tool } = newest;
      newest = null;
      const said = { text: text.slice(-MAX_SAID_CHARACTERS).toWellFormed(), tool: tool?.slice(0, 300).toWellFormed() ?? null };
      await control.call("said", { stream, ...said }).catch(() => null);
    }
    isTelling = false;
  };

  return (said) => {
    newest = said;
    if (!isTelling) void tell();
  };
};

const boundedOutcome = (outcome: ExecutorOutcome): ExecutorOutcome =>
  outcome.type === "failure" ? { ...outcome, detail: outcome.detail.slice(0, MAX_DETAIL_CHARS) } : outcome;

const control: Peer<typeof controlProtocol> = connectToParent({
  serves: workerProtocol,
  calls: controlProtocol,
  describeError: describeFailure,
  handlers: {
    execute: async ({ execution, ...work }) => {
      const controller = new AbortController();
      const { signal } = controller;
      running.set(execution, controller);
      try {
        return boundedOutcome(await executeInProcess(work, gatewaysOf(execution, signal), signal)) as never;
      } finally {
        running.delete(execution);
        controller.abort(OVER);
      }
    },
    stop: async ({ execution }) => {
      running.get(execution)?.abort(OVER);

      return null;
    },
    generate: async ({ stream, ...call }, signal) => {
      const note = stream === null ? undefined : tellSaid(stream);
      const { answeredBy, tool_calls: calls, ...answer } = await models.call(call, signal, note);

      return { ...answer, tool_calls: [...calls], answeredBy: answeredBy.slice(0, 1_000) };
    },
  },
});
