/** Parses in a worker, or on the main thread if it fails. */
import { parseEntriesWith, recordIn, type Entry, type LedgerBatch } from "@/components/runs/entries";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import type { ParseRequest, ParseResponse } from "./parse-messages";

export type Parser = {
  parse(batch: LedgerBatch): Promise<readonly Entry[]>;
  close(): void;
};

type Waiting = { readonly batch: LedgerBatch; readonly resolve: (entries: readonly Entry[]) => void };

const here = (batch: LedgerBatch): readonly Entry[] => parseEntriesWith(batch, batch.records.map(recordIn));

/** Cheaper than a worker round trip. */
const FEW = 20;

/** @param start creates the worker; null: unavailable */
export const makeParser = (start: (() => Worker) | null): Parser => {
  const waiting = new Map<number, Waiting>();
  let asked = 0;
  let worker: Worker | null = null;

  const answer = (id: number, records: readonly (LedgerRecord | null)[]): void => {
    const found = waiting.get(id);
    waiting.delete(id);
    found?.resolve(parseEntriesWith(found.batch, records));
  };
  let hasFailed = start === null;
  const fail = (): void => {
    hasFailed = true;
    worker?.terminate();
    worker = null;
    for (const { batch, resolve } of waiting.values()) resolve(here(batch));
    waiting.clear();
  };
  const running = (): Worker | null => {
    if (worker || hasFailed || start === null) return worker;
    try {
      worker = start();
      worker.addEventListener("message", ({ data }: MessageEvent<ParseResponse>) => answer(data.id, data.records));
      worker.addEventListener("error", fail);
    } catch {
      fail();
    }

    return worker;
  };

  return {
    parse: (batch) => {
      const reader = batch.records.length <= FEW ? null : running();
      if (reader === null) return Promise.resolve(here(batch));

      return new Promise((resolve) => {
        const request: ParseRequest = { id: (asked += 1), records: batch.records };
        waiting.set(request.id, { batch, resolve });
        reader.postMessage(request);
      });
    },
    close: () => {
      worker?.terminate();
      worker = null;
      waiting.clear();
    },
  };
};
