import { openAsBlob } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { isTerminal } from "@/lib/engine/event";
import type { Artifact } from "@/lib/artifact";
import { parsePair, type Arguments } from "@/server/cli/arguments";
import { readParsed } from "@/server/cli/document";
import { demandGraph } from "@/server/cli/graphs/source";
import { openRemoteSource } from "@/server/cli/graphs/remote-source";
import { CliFailure, type CliHost } from "@/server/cli/host";
import { deliver } from "@/server/cli/installed";
import { formatJsonLine } from "@/server/cli/problem";
import { exitCodeOf } from "@/server/cli/run/report";
import { demandRemote, type Remote } from "./client";

const LOCAL_ONLY = ["script", "mcp", "decide", "env"] as const;

const openFile = async (place: string, host: CliHost): Promise<Blob> => {
  try {
    return await openAsBlob(path.resolve(host.cwd, place));
  } catch (error) {
    throw new CliFailure(`the file ${place} cannot be read`, error);
  }
};

const uploadFiles = async (remote: Remote, given: readonly string[], host: CliHost): Promise<Readonly<Record<string, Artifact>>> => {
  const files: Record<string, Artifact> = {};
  for (const each of given) {
    const [input, place] = parsePair("file", each);
    const file = await openFile(place, host);
    files[input] = await remote.call("createArtifact", { name: path.basename(place), file });
  }

  return files;
};

/** Exit codes: 0 completed, 2 failed, 3 waits for a person. */
export const runRemotely = async (args: Arguments, host: CliHost): Promise<number> => {
  const local = LOCAL_ONLY.find((name) => args.text(name) !== null);
  if (local !== undefined) throw new CliFailure(`--${local} does not apply to --remote`);
  const file = args.text("inputs");
  const written = file === null ? {} : await readParsed(file, "inputs file", z.record(z.string(), z.json()));
  const remote = demandRemote(args, host);
  const graphId = await demandGraph(openRemoteSource(remote), args.operand);
  const inputs = { ...written, ...(await uploadFiles(remote, args.list("file"), host)) };
  const [goal, model, key, out, environment] = ["goal", "model", "key", "out", "environment"].map(args.text);
  const wanted = { graphId, inputs, ...(goal ? { goal } : {}), ...(model ? { model } : {}), ...(environment ? { environment } : {}) };
  const { runId } = await remote.call("startRun", wanted, key ? { idempotencyKey: key } : {});
  await host.err(`countersign: run ${runId} started\n`);
  for await (const { status, frozen } of remote.followRun(runId)) {
    if (!args.flag("json")) await host.err(`  ${status}\n`);
    if (frozen !== null || isTerminal(status) || (status === "waiting" && !args.flag("wait"))) break;
  }
  const [run, state] = await Promise.all([remote.call("getRun", { runId }), remote.call("getRunState", { runId })]);
  if (out) await deliver(host, await remote.exportRun(runId), path.resolve(host.cwd, out), " (values that a viewer may see)");
  const { status, frozen, refusals, waitingFor } = run;
  const { memory, visited_nodes: visitedNodes, last_error: lastError } = state;
  await host.out(
    formatJsonLine({
      run: runId,
      status,
      frozen,
      waiting_for: waitingFor.map(({ approvalId, node }) => ({ approval: approvalId, node })),
      last_error: lastError,
      memory,
      visited_nodes: visitedNodes,
      refusals,
    }),
  );

  return frozen === null ? exitCodeOf(status) : 2;
};
