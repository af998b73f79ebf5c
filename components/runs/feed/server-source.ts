/** The server as a `RecordSource`; values are opened as far as the reader may see them. */
import type { useTRPCClient } from "@/components/trpc/trpc";
import type { RecordSource } from "./feed";
import { recordsInput } from "./ranges";
import { makeParser, type Parser } from "./parser";

export const serverSource = (client: ReturnType<typeof useTRPCClient>, runId: string): RecordSource => ({
  page: (from, count, signal) => client.runs.records.query(recordsInput(runId, { from, count }), { signal }),
});

export const workerParser = (): Parser => makeParser(() => new Worker(new URL("./parse-worker.ts", import.meta.url), { type: "module" }));
