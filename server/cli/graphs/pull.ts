import { mkdir } from "node:fs/promises";
import path from "node:path";
import type { Graph } from "@/lib/graph/document";
import { computeContentHash, FILE_FORMATS, type FileFormat } from "@/lib/graph/file";
import { parseArguments } from "@/server/cli/arguments";
import { CliFailure, type CliCommand, type CliHost } from "@/server/cli/host";
import { formatJsonLine } from "@/server/cli/problem";
import { isMissing, readBase, readWorkspaceGraph, writeBase, writeGraph } from "./file";
import { demandGraph, openSource, readVersionOption, SOURCE_OPTIONS, type GraphSource } from "./source";

type Pulled = { readonly status: "written" | "unchanged" | "conflict"; readonly code?: "file_changed" | "not_a_graph" };

const MAX_GRAPHS = 500;

const pullInto = async (file: string, graph: Graph, format: FileFormat, isForced: boolean, host: CliHost): Promise<Pulled> => {
  const wanted = computeContentHash(graph);
  if (!(await isMissing(file)) && !isForced) {
    const old = await readWorkspaceGraph(file).catch(() => null);
    if (!old) return { status: "conflict", code: "not_a_graph" };
    if (old.hash === wanted && old.graph.id === graph.id) {
      await writeBase(file, wanted);

      return { status: "unchanged" };
    }
    if (old.hash !== (await readBase(file))) return { status: "conflict", code: "file_changed" };
  }
  const { hash, leftOut } = await writeGraph(file, graph, format);
  await writeBase(file, hash);
  if (leftOut > 0) await host.err(`countersign: ${file} leaves out ${leftOut} apparent secrets, so it can't be pushed over this draft\n`);

  return { status: "written" };
};

const listWanted = async (source: GraphSource, names: readonly string[]): Promise<readonly string[]> => {
  if (names.length === 0) return source.list(null);

  return Promise.all(names.map((name) => demandGraph(source, name)));
};

export const pullCommand: CliCommand = async (argv, host) => {
  const operands = { name: "GRAPH", min: 0, max: MAX_GRAPHS };
  const args = parseArguments(argv, operands, { ...SOURCE_OPTIONS, dir: "string", format: "string", version: "string", force: "boolean" });
  const version = readVersionOption(args.text("version"));
  const format = FILE_FORMATS.find((known) => known === (args.text("format") ?? "yaml"));
  if (!format) throw new CliFailure("--format expects yaml or json");
  if (version !== null && args.operands.length === 0) throw new CliFailure("--version needs the graphs' names");
  const source = await openSource(args, host, "read");
  const folder = path.resolve(host.cwd, args.text("dir") ?? ".");
  await mkdir(folder, { recursive: true });
  const taken = new Map<string, string>();
  let exitCode = 0;
  for (const id of await listWanted(source, args.operands)) {
    const graph =
      version === null
        ? (await source.readDraft(id)).document
        : (await source.readVersion(id, version === "newest" ? null : version)).document;
    // One file on disks that ignore case.
    const name = graph.id.toLowerCase();
    const other = taken.get(name);
    if (other !== undefined && other !== id)
      throw new CliFailure(`graphs ${other} and ${id} would be one file: pull them into folders of their own`);
    taken.set(name, id);
    const file = path.join(folder, `${graph.id}.${format}`);
    const pulled = await pullInto(file, graph, format, args.flag("force"), host);
    await host.out(formatJsonLine({ file, graph: id, document_id: graph.id, ...pulled }));
    if (pulled.status === "conflict") exitCode = 2;
  }

  return exitCode;
};
