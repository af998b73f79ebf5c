import path from "node:path";
import { computeContentHash, type ReadGraph } from "@/lib/graph/file";
import type { HexDigest } from "@/lib/hash";
import { parseArguments } from "@/server/cli/arguments";
import { CliFailure, type CliCommand } from "@/server/cli/host";
import { formatJsonLine } from "@/server/cli/problem";
import { readBase, readWorkspaceGraph, writeBase } from "./file";
import { findGraph, openSource, SOURCE_OPTIONS, SourceConflict, type GraphSource } from "./source";

type Base = { readonly type: "new" | "unknown" } | { readonly type: "draft"; readonly hash: HexDigest };

type Pushed =
  | { readonly status: "created" | "pushed" | "unchanged"; readonly graph: string; readonly revision: number }
  | {
      readonly status: "conflict";
      readonly code: "base_unknown" | "draft_changed" | "id_taken" | "graph_missing";
      readonly graph: string | null;
    };

const MAX_FILES = 500;

const conflicts =
  (code: "draft_changed" | "id_taken", graph: string | null) =>
  (error: unknown): Pushed => {
    if (!(error instanceof SourceConflict)) throw error;

    return { status: "conflict", code, graph };
  };

const create = async (source: GraphSource, { graph }: ReadGraph, base: Base): Promise<Pushed> => {
  if (base.type === "draft") return { status: "conflict", code: "graph_missing", graph: null };

  return source
    .create(graph)
    .then((id): Pushed => ({ status: "created", graph: id, revision: 1 }))
    .catch(conflicts("id_taken", null));
};

const push = async (source: GraphSource, file: ReadGraph, base: Base): Promise<Pushed> => {
  const id = await findGraph(source, file.graph.id);
  if (id === null) return create(source, file, base);
  const { revision, document } = await source.readDraft(id);
  const now = computeContentHash(document);
  if (now === file.hash) return { status: "unchanged", graph: id, revision };
  if (base.type !== "draft" || base.hash !== now) {
    return { status: "conflict", code: base.type === "unknown" ? "base_unknown" : "draft_changed", graph: id };
  }

  return source
    .save(id, revision, file.graph)
    .then((saved): Pushed => ({ status: "pushed", graph: id, revision: saved }))
    .catch(conflicts("draft_changed", id));
};

const baseOf = async (file: string, given: string | null): Promise<Base> => {
  if (given === "none") return { type: "new" };
  const hash = given === null ? await readBase(file) : (await readWorkspaceGraph(given)).hash;

  return hash === null ? { type: "unknown" } : { type: "draft", hash };
};

export const pushCommand: CliCommand = async (argv, host) => {
  const args = parseArguments(argv, { name: "FILE", min: 1, max: MAX_FILES }, { ...SOURCE_OPTIONS, base: "string" });
  const base = args.text("base");
  if (base !== null && args.operands.length > 1) throw new CliFailure("--base applies to one file");
  const files = await Promise.all(
    args.operands.map(async (name) => {
      const file = path.resolve(host.cwd, name);

      return { file, read: await readWorkspaceGraph(file), base: await baseOf(file, base) };
    }),
  );
  const source = await openSource(args, host, "save");
  let exitCode = 0;
  for (const { file, read, base: known } of files) {
    const pushed = await push(source, read, known);
    if (pushed.status === "conflict") exitCode = 2;
    else await writeBase(file, read.hash);
    await host.out(formatJsonLine({ file, document_id: read.graph.id, ...pushed }));
  }

  return exitCode;
};
