/** Opens a stored run like a takeover. */
import { z } from "zod";
import { closeDatabase, useDatabase } from "@/server/db/client";
import { loadRun } from "@/server/runner/load";
import { loadVault } from "@/server/security/vault";
import { runHead } from "@/server/store/ledger/run-heads";
import { listPublicKeys } from "@/server/security/trust-anchor";

const orderSchema = z.strictObject({ url: z.string(), home: z.string(), workspace: z.string(), run: z.string() });
export type OpenOrder = z.infer<typeof orderSchema>;

export const openedSchema = z.strictObject({ ms: z.number(), records: z.int() });

export const measureOpen = async (text: string): Promise<z.infer<typeof openedSchema>> => {
  const { url, home, workspace, run } = orderSchema.parse(JSON.parse(text));
  const vault = loadVault(home);
  await useDatabase(url);
  const startedAt = performance.now();
  const head = await runHead(workspace, run);
  if (!head) throw new Error("the run is not there");
  const place = { workspaceId: workspace, runId: run, version: head.version, digest: head.head };
  const { state } = await loadRun(vault, await listPublicKeys(), place, head.graphHash);
  const ms = performance.now() - startedAt;
  await closeDatabase();

  return { ms, records: state.version };
};
