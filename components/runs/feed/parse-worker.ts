/** Validating thousands of records blocks the page. */
import { recordIn } from "@/components/runs/entries";
import type { ParseRequest, ParseResponse } from "./parse-messages";

globalThis.addEventListener("message", ({ data }: MessageEvent<ParseRequest>) => {
  const response: ParseResponse = { id: data.id, records: data.records.map(recordIn) };
  globalThis.postMessage(response);
});
