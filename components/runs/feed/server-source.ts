/** Server source, redacted for the reader. */
import type { useTRPCClient } from "@/components/trpc/trpc";
import type { RecordSource } from "./feed";
import { toRecordsInput } from "./ranges";
import { makeParser, type Parser } from "./parser";

export const createServerSource = (client: ReturnType<typeof useTRPCClient>, runId: string): RecordSource => ({
  page: (from, count, signal) => client.runs.records.query(toRecordsInput(runId, { from, count }), { signal }),
});

export const createWorkerParser = (): Parser =>
  makeParser(() => new Worker(new URL("./parse-worker.ts", import.meta.url), { type: "module" }));
