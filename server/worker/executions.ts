/** Gateways for workers, limited to their current executions. */
import { randomBytes } from "node:crypto";
import { Suspended, type CodeAnswer, type Gateways } from "@/server/executors/contract";
import { ChannelBreach } from "@/server/ipc/errors";
import type { Handlers } from "@/server/ipc/peer";
import { ModelError } from "@/server/models/contract";
import type { controlProtocol } from "./protocol";

const ID_BYTES = 16;
/** Far above a node with many items and agent steps. */
const MAX_CALLS = 200_000;

export type Execution = {
  readonly id: string;
  stop(): void;
  end(): void;
  settled(): Promise<void>;
  wasSuspended(): boolean;
  verdicts(): number;
  /** Overrides the worker's outcome. */
  fault(): Error | null;
};

export type Executions = {
  readonly begin: (key: string, gateways: Gateways) => Execution;
  readonly handlersFor: (key: string) => Omit<Handlers<typeof controlProtocol>, "said">;
};

type Live = {
  readonly key: string;
  readonly gateways: Gateways;
  readonly underWay: Set<Promise<unknown>>;
  isStopped: boolean;
  wasSuspended: boolean;
  verdicts: number;
  calls: number;
  fault: Error | null;
};

const NO_CODE: CodeAnswer = { status: "failed", code: "code_unavailable", line: null, message: "No code can run here." };

const noteError = (live: Live, error: unknown): void => {
  if (error instanceof Suspended) live.wasSuspended = true;
  else if (!(error instanceof ModelError)) live.fault ??= error instanceof Error ? error : new Error(String(error));
};

export const createExecutions = (): Executions => {
  const all = new Map<string, Live>();

  const find = (key: string, id: string): Live => {
    const live = all.get(id);
    if (live?.key !== key) throw new ChannelBreach("a call for an execution that this process does not have");
    live.calls += 1;
    if (live.calls > MAX_CALLS) throw new ChannelBreach("more calls than any node makes");

    return live;
  };

  /** Calls a gateway of the execution. @throws the gateway's error */
  const act = async <T>(key: string, id: string, work: (gateways: Gateways, live: Live) => Promise<T>): Promise<T> => {
    const live = find(key, id);
    if (live.isStopped) throw new Suspended();
    const doing = work(live.gateways, live);
    live.underWay.add(doing);
    try {
      return await doing;
    } catch (error) {
      noteError(live, error);
      throw error;
    } finally {
      live.underWay.delete(doing);
    }
  };

  return {
    begin: (key, gateways) => {
      const id = randomBytes(ID_BYTES).toString("hex");
      const live: Live = {
        key,
        gateways,
        underWay: new Set(),
        isStopped: false,
        wasSuspended: false,
        verdicts: 0,
        calls: 0,
        fault: null,
      };
      all.set(id, live);

      return {
        id,
        stop: () => {
          live.isStopped = true;
        },
        end: () => {
          all.delete(id);
        },
        settled: async () => {
          await Promise.allSettled(live.underWay);
        },
        wasSuspended: () => live.wasSuspended,
        verdicts: () => live.verdicts,
        fault: () => live.fault,
      };
    },
    handlersFor: (key) => ({
      tool: ({ execution, request }) => act(key, execution, ({ tools }) => tools.call(request)),
      model: ({ execution, request }) => act(key, execution, ({ models }) => models.generate(request)),
      action: ({ execution, action }) => act(key, execution, ({ actions }) => actions.propose(action)),
      task_failed: ({ execution, task, code, detail }) =>
        act(key, execution, async ({ tasks }) => {
          await tasks.failed(task, code, detail);

          return null;
        }),
      code: ({ execution }) => act(key, execution, async ({ code }) => (code ? code.run() : NO_CODE)),
      verdict: ({ execution, task }) =>
        act(key, execution, async ({ verdicts }, live) => {
          // Before the answer: the last verdict suspends the run.
          live.verdicts += 1;

          return verdicts.given(task);
        }),
    }),
  };
};
