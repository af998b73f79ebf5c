/** Reads the texts of records away from the page's own thread: a schema over thousands of them would hold it up. */
import { recordIn } from "@/components/runs/entries";
import type { ParseRequest, ParseResponse } from "./parse-messages";

globalThis.addEventListener("message", ({ data }: MessageEvent<ParseRequest>) => {
  const response: ParseResponse = { id: data.id, records: data.records.map(recordIn) };
  globalThis.postMessage(response);
});
