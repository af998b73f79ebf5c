import path from "node:path";
import { comparePublished } from "@/lib/architect/comparison";
import type { PublishedGraph } from "@/lib/graph/document";
import type { GraphContent } from "@/server/architect/comparing";
import { parseArguments, type Arguments } from "@/server/cli/arguments";
import { readGraphFile } from "@/server/cli/graph-file";
import { listPartProblems, splitParts } from "@/server/cli/graph-parts";
import { CliFailure, type CliCommand, type CliHost } from "@/server/cli/host";
import { formatJsonLine } from "@/server/cli/problem";
import { createUnknownAgent, createUnknownTool, listNamedAgents, listNamedTools, listUnknownVersions } from "@/server/cli/stand-ins";
import { fenceMarkdown, formatComparison } from "./diff-text";
import { readWorkspaceGraph } from "./file";
import { demandGraph, openSource, SOURCE_OPTIONS, type FoundComparison, type FoundProblem } from "./source";

type Operand =
  | { readonly type: "none" }
  | { readonly type: "file"; readonly file: string }
  | { readonly type: "stored"; readonly graph: string; readonly content: GraphContent };

const STORED = /^(?<graph>[a-zA-Z0-9][a-zA-Z0-9_-]*)@(?<version>draft|newest|[1-9]\d{0,8})$/u;

const readOperand = (text: string, host: CliHost): Operand => {
  if (text === "none") return { type: "none" };
  const { graph, version = "" } = STORED.exec(text)?.groups ?? {};
  if (graph === undefined) return { type: "file", file: path.resolve(host.cwd, text) };
  if (version === "draft") return { type: "stored", graph, content: { type: "draft" } };

  return { type: "stored", graph, content: { type: "version", number: version === "newest" ? null : Number(version) } };
};

type Offline = { readonly published: PublishedGraph | null; readonly problems: readonly FoundProblem[] };

/** Unknown tools count as the worst. */
const publishOffline = async (operand: Operand): Promise<Offline> => {
  if (operand.type !== "file") return { published: null, problems: [] };
  const read = await readGraphFile(operand.file, []);
  if (!read.ok) throw new CliFailure(`${operand.file}: ${read.error[0]?.message ?? "not a graph file"}`);
  const root = read.value;
  const parts = splitParts(root, (file) => ({
    agents: file.agents ?? listNamedAgents(file.graph).map(createUnknownAgent),
    tools: listNamedTools(file).map((tool) => ({ ...createUnknownTool(tool), effect: "irreversible", outward: true })),
    versions: root.subgraphs === null ? listUnknownVersions(file.graph) : [],
  }));

  return {
    published: parts.at(-1)?.version.published ?? null,
    problems: listPartProblems(parts).filter(({ code }) => code === "agent_unknown"),
  };
};

const compareOffline = async (before: Operand, after: Operand): Promise<FoundComparison> => {
  const [old, now] = [await publishOffline(before), await publishOffline(after)];
  if (!now.published) throw new CliFailure("the second operand must be a file or a version");

  return { ...comparePublished(old.published, now.published), problems: now.problems };
};

const toContent = async (operand: Operand): Promise<GraphContent> => {
  if (operand.type === "stored") return operand.content;
  if (operand.type === "none") throw new CliFailure('"none" can only be compared with a file');

  return { type: "document", document: (await readWorkspaceGraph(operand.file)).graph };
};

const compareStored = async (args: Arguments, host: CliHost, before: Operand, after: Operand): Promise<FoundComparison> => {
  const [a, b] = [before, after].flatMap((operand) => (operand.type === "stored" ? [operand.graph] : []));
  const contents = [await toContent(before), await toContent(after)] as const;
  const source = await openSource(args, host, "read");
  const graph = await demandGraph(source, a ?? "");
  if (b !== undefined && (await demandGraph(source, b)) !== graph) throw new CliFailure("both versions must be of one graph");

  return source.compare(graph, ...contents);
};

export const diffCommand: CliCommand = async (argv, host) => {
  const operands = { name: "BEFORE AFTER", min: 2, max: 2 };
  const args = parseArguments(argv, operands, { ...SOURCE_OPTIONS, json: "boolean", markdown: "boolean" });
  const [from = "", to = ""] = args.operands;
  const [before, after] = [readOperand(from, host), readOperand(to, host)];
  const isStored = before.type === "stored" || after.type === "stored";
  const found = await (isStored ? compareStored(args, host, before, after) : compareOffline(before, after));
  const { secondPerson, unattended, changes, parts, problems } = found;
  const text = formatComparison(`${from} -> ${to}`, found);
  const json = { before: from, after: to, second_person: secondPerson, unattended, changes, parts, problems };
  await host.out(args.flag("json") ? formatJsonLine(json) : args.flag("markdown") ? fenceMarkdown(text) : text);
  // Authority was read without an unknown tool.
  if (problems.some(({ severity }) => severity === "error")) return 1;

  return secondPerson === null ? 0 : 2;
};
