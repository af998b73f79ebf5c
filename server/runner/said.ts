/** Sealed, short-lived rows of model speech; readers are told to look again. Drops what it cannot write in time. */
import type { Label } from "@/lib/graph/label";
import { getSaidPlace, MAX_SAID_CHARACTERS } from "@/lib/engine/said-so-far";
import type { Json } from "@/lib/json";
import { log } from "@/server/log";
import type { NoteSaid, SaidSoFar } from "@/server/models/contract";
import type { Vault } from "@/server/security/vault";
import { endSaidSoFar, putSaidSoFar } from "@/server/store/runs/said-so-far";

export type Speech = {
  readonly workspaceId: string;
  readonly runId: string;
  readonly node: string;
  readonly isInner: boolean;
  readonly task: string;
  /** Of everything that the model was shown. */
  readonly label: Label;
};

export type SaidKeeper = {
  /** @param speech null: not streamed */
  readonly begin: (speech: Speech | null) => NoteSaid | undefined;
  readonly end: (runId: string, task: string) => void;
};

type Stream = { readonly speech: Speech; newest: SaidSoFar | null; work: Promise<void> | null; isOver: boolean; isKept: boolean };

export const createSaidKeeper = (vault: Pick<Vault, "sealCommand">, notify: (runId: string) => void): SaidKeeper => {
  const streams = new Map<string, Stream>();

  const write = async ({ workspaceId, runId, task, node, isInner, label }: Speech, { text, tool }: SaidSoFar): Promise<void> => {
    const shown: Json = { ...label, provenance: [...label.provenance] };
    const body = { node, isInner, task, label: shown, text: text.slice(-MAX_SAID_CHARACTERS).toWellFormed(), tool };
    await putSaidSoFar({ workspaceId, runId, task, sealed: vault.sealCommand(workspaceId, getSaidPlace(runId, task), body) });
  };

  const work = async (stream: Stream): Promise<void> => {
    const { speech } = stream;
    try {
      while (stream.newest !== null && !stream.isOver) {
        const { newest } = stream;
        stream.newest = null;
        stream.isKept = true;
        await write(speech, newest);
        notify(speech.runId);
      }
      if (stream.isOver && stream.isKept) await endSaidSoFar(speech.workspaceId, speech.runId, speech.task);
      if (stream.isOver && stream.isKept) notify(speech.runId);
    } catch (error) {
      log().warn({ error: error instanceof Error ? error.name : "unknown" }, "what a model says is not shown for a moment");
    }
    stream.work = null;
  };

  const wake = (stream: Stream): void => {
    stream.work ??= work(stream);
  };

  return {
    begin: (speech) => {
      if (speech === null) return undefined;
      const stream: Stream = { speech, newest: null, work: null, isOver: false, isKept: false };
      streams.set(`${speech.runId} ${speech.task}`, stream);

      return (said) => {
        if (stream.isOver) return;
        stream.newest = said;
        wake(stream);
      };
    },
    end: (runId, task) => {
      const stream = streams.get(`${runId} ${task}`);
      if (!stream) return;
      streams.delete(`${runId} ${task}`);
      stream.isOver = true;
      // A write under way ends it.
      wake(stream);
    },
  };
};
