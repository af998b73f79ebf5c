import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { adoptRows } from "@/server/runner/adopt";
import { insertVariables } from "@/server/store/environments";
import { AppError } from "@/lib/errors";
import { REFUSALS } from "@/lib/refusal";
import { DEFAULT_ENVIRONMENTS, getLast } from "@/lib/environments/environment";
import { variablesSchema, type Variables } from "@/lib/environments/variables";
import { isJsonObject, jsonSchema, type Json } from "@/lib/json";
import { systemClock } from "@/server/clock";
import { openCommandLineMcp, type CommandLineMcp } from "@/server/mcp/command-line";
import { scriptSchema, type Script } from "@/server/models/scripted/script";
import { SCRIPT_MODEL_ID, createScriptModels } from "@/server/models/scripted/script-models";
import { getAnchorFile, writeAnchor } from "@/server/security/anchor-file";
import type { Signer } from "@/server/security/keyring";
import { closeStore } from "@/server/store/runs/close";
import { getRun } from "@/server/store/runs/runs";
import { parseArguments, type Arguments } from "@/server/cli/arguments";
import { readParsed } from "@/server/cli/document";
import { readGraphFile, type GraphFile } from "@/server/cli/graph-file";
import { CliFailure, type CliCommand, type CliHost } from "@/server/cli/host";
import { splitParts } from "@/server/cli/graph-parts";
import { deliver } from "@/server/cli/installed";
import { REMOTE_OPTIONS } from "@/server/cli/remote/client";
import { buildRunExport, describeOpened } from "@/server/cli/run-export";
import { createErrorProblem, formatJsonLine, type CliProblem } from "@/server/cli/problem";
import { decisionsSchema, listReviewers, type ScriptedDecision } from "./decisions";
import { runHeadless, type Headless } from "./drive";
import { publishHeadless, createRunnerDeps, runProblems, throwAwayAnchor, throwAwaySigner } from "./installation";
import { readCommandLineServers, readLabels, mcpFileSchema, NO_SERVERS, type McpFile } from "./mcp-file";
import { exitCodeOf, runReport } from "./report";

type Given = {
  readonly file: GraphFile;
  readonly inputs: Json;
  readonly script: Script;
  readonly mcp: McpFile;
  readonly decisions: readonly ScriptedDecision[];
  readonly variables: Variables;
  readonly goal: string;
  readonly out: string | null;
};

class Invalid extends Error {
  readonly problems: readonly CliProblem[];

  constructor(problems: readonly CliProblem[]) {
    super("invalid input");
    this.name = "Invalid";
    this.problems = problems;
  }
}

const readGiven = async (args: Arguments): Promise<Given> => {
  const files = {
    inputs: args.text("inputs"),
    script: args.text("script"),
    mcp: args.text("mcp"),
    decide: args.text("decide"),
    env: args.text("env"),
  };
  const mcp = files.mcp === null ? NO_SERVERS : await readParsed(files.mcp, "MCP server file", mcpFileSchema);
  const file = await readGraphFile(args.operand, Object.keys(mcp.mcpServers));
  if (!file.ok) throw new Invalid(file.error);

  return {
    file: file.value,
    mcp,
    inputs: files.inputs === null ? {} : await readParsed(files.inputs, "inputs file", jsonSchema),
    script: files.script === null ? { agents: {} } : await readParsed(files.script, "script", scriptSchema),
    decisions: files.decide === null ? [] : await readParsed(files.decide, "list of decisions", decisionsSchema),
    variables: files.env === null ? {} : await readParsed(files.env, "file of variables", variablesSchema),
    goal: args.text("goal") ?? "",
    out: args.text("out"),
  };
};

const writeThrowAwayAnchor = async (signer: Signer, host: CliHost): Promise<string> => {
  const folder = await mkdtemp(path.join(tmpdir(), "countersign-anchor-"));
  host.defer(() => rm(folder, { recursive: true, force: true }));
  await mkdir(path.dirname(getAnchorFile(folder)));
  await writeAnchor(folder, throwAwayAnchor(signer));

  return getAnchorFile(folder);
};

const openServers = async (given: Given, signer: Signer, host: CliHost): Promise<CommandLineMcp> => {
  const surroundings = {
    ...host.ordinaryEnvironment,
    COUNTERSIGN_PUBLIC_KEYS: JSON.stringify({ [signer.kid]: signer.publicKey }),
    COUNTERSIGN_TRUST_ANCHOR: await writeThrowAwayAnchor(signer, host),
  };
  const servers = readCommandLineServers(given.mcp, surroundings, host.cwd);
  try {
    return await openCommandLineMcp(servers, readLabels(given.mcp), systemClock, (close) => host.defer(close));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new Invalid([createErrorProblem("server_unreachable", error.message)]);
  }
};

const exportRun = async (host: CliHost, { deps, place, runId }: Headless, file: string): Promise<void> => {
  const row = await getRun(place.workspaceId, runId);
  if (!row) throw new CliFailure("the run was not recorded");
  const { document, underReview } = await buildRunExport(deps.vault, { workspaceId: place.workspaceId, run: row }, deps.signer);
  await deliver(host, `${JSON.stringify(document)}\n`, path.resolve(host.cwd, file), describeOpened(underReview));
};

const run = async (
  given: Given,
  host: CliHost,
  say: (line: string) => void,
): Promise<{ report: unknown; exitCode: number; words: string | null }> => {
  const signer = throwAwaySigner();
  say("starting MCP servers");
  const { mcp, tools } = await openServers(given, signer, host);
  const labels = readLabels(given.mcp);
  const unknown = Object.keys(labels).filter((id) => !tools.some(({ server, tool }) => `${server}__${tool}` === id));
  const parts = splitParts(given.file, ({ agents }) => ({ agents: agents ?? [], tools, versions: [] }));
  const problems = [
    ...runProblems(parts, new Set(Object.keys(labels))),
    ...unknown.map((id) => createErrorProblem("tool_unknown", `"effects" names ${id}, but no server of this run has that tool.`, [id])),
  ];
  if (problems.some(({ severity }) => severity === "error")) throw new Invalid(problems);
  if (!isJsonObject(given.inputs)) throw new Invalid([createErrorProblem("inputs_invalid", "The inputs must be an object.")]);

  say("preparing a temporary database");
  await host.openThrowAwayDatabase();
  host.defer(closeStore);
  const place = await publishHeadless(parts, listReviewers(given.decisions));
  let records = 0;
  const deps = await createRunnerDeps(signer, mcp, createScriptModels(given.script, systemClock), () => {
    records += 1;
    say(`${records} records`);
  });
  await insertVariables(place.workspaceId, getLast(DEFAULT_ENVIRONMENTS), given.variables, systemClock.now());
  await adoptRows(deps, deps.authority, place.workspaceId);
  const headless = { deps, place, runId: systemClock.id(), say };
  const { refusal, end } = await runHeadless(headless, { goal: given.goal, inputs: given.inputs, model: SCRIPT_MODEL_ID }, given.decisions);
  if (refusal) throw new Invalid([createErrorProblem(refusal.code, REFUSALS[refusal.code].message, refusal.ids)]);
  if (!end) throw new CliFailure("the run was not recorded");
  if (given.out !== null) await exportRun(host, headless, given.out);
  const report = runReport(headless.place.published, end.state, end.records, end.verified);
  const words = report.error
    ? `${report.error.node === null ? "" : ` at ${report.error.node}`}: ${report.error.code}${report.error.message === "" ? "" : `: ${report.error.message}`}`
    : null;

  return { report, exitCode: end.verified.ok ? exitCodeOf(end.state.status) : 2, words };
};

const problemsIn = (error: unknown): readonly CliProblem[] => {
  if (error instanceof Invalid) return error.problems;
  if (error instanceof CliFailure) return [createErrorProblem("input_invalid", error.message)];
  throw error;
};

export const runCommand: CliCommand = async (argv, host) => {
  const args = parseArguments(argv, "FILE", {
    inputs: "string",
    script: "string",
    mcp: "string",
    decide: "string",
    env: "string",
    environment: "string",
    file: "strings",
    goal: "string",
    out: "string",
    json: "boolean",
    model: "string",
    wait: "boolean",
    key: "string",
    ...REMOTE_OPTIONS,
  });
  if (args.text("remote") !== null) return (await import("@/server/cli/remote/run")).runRemotely(args, host);
  if (args.text("model") !== null || args.text("key") !== null || args.flag("wait"))
    throw new CliFailure("--model, --wait and --key apply to --remote");
  if (args.list("file").length > 0) throw new CliFailure("--file applies to --remote");
  if (args.text("environment") !== null) throw new CliFailure("--environment applies to --remote; --env gives variables to a run here");
  const quiet = args.flag("json");
  const say = (line: string): void => {
    if (!quiet) void host.err(`  ${line}\n`);
  };
  try {
    const { report, exitCode, words } = await run(await readGiven(args), host, say);
    if (words !== null) await host.err(`countersign: the run failed${words}\n`);
    await host.out(formatJsonLine(report));

    return exitCode;
  } catch (error) {
    const problems = problemsIn(error);
    const first = problems.find(({ severity }) => severity === "error");
    await host.err(`countersign: ${first?.message ?? "the input is invalid"}\n`);
    await host.out(formatJsonLine({ status: "invalid", problems }));

    return 1;
  }
};
