import { randomUUID } from "node:crypto";
import { lstat, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { readDocumentText } from "@/lib/document-text";
import type { Graph } from "@/lib/graph/document";
import { formatDocument, readGraphFile, writeGraphFile, type FileFormat, type ReadGraph } from "@/lib/graph/file";
import { hexDigestSchema, type HexDigest } from "@/lib/hash";
import { isJsonObject, type JsonObject } from "@/lib/json";
import { readParsed, readText } from "@/server/cli/document";
import { CliFailure } from "@/server/cli/host";

export const readWorkspaceGraph = async (file: string): Promise<ReadGraph> => {
  const text = await readText(file);
  if (!text.ok) throw new CliFailure(text.error);
  const read = readGraphFile(text.value);
  if (read.ok) return read.value;
  const [first] = read.error;
  const place = first?.place ? ` (line ${first.place.line}, column ${first.place.column})` : "";
  throw new CliFailure(`${file} is not a graph file${place}: ${first?.message ?? "unknown format"}`);
};

export const isMissing = async (file: string): Promise<boolean> =>
  lstat(file).then(
    () => false,
    () => true,
  );

const replaceFile = async (file: string, text: string): Promise<void> => {
  const next = `${file}.${randomUUID()}.tmp`;
  try {
    await writeFile(next, text, { flag: "wx" });
    await rename(next, file);
  } catch (error) {
    await rm(next, { force: true });
    throw new CliFailure(`cannot write ${file}`, error);
  }
};

const readCarried = async (file: string): Promise<JsonObject> => {
  const text = await readText(file);
  const read = text.ok ? readDocumentText(text.value) : null;
  const value = read?.ok ? read.value.value : null;
  const { agents, subgraphs } = isJsonObject(value) ? value : {};

  return { ...(agents === undefined ? {} : { agents }), ...(subgraphs === undefined ? {} : { subgraphs }) };
};

export type Written = { readonly hash: HexDigest; readonly leftOut: number };

/** Keeps the agents and subgraphs of the file. @throws CliFailure */
export const writeGraph = async (file: string, graph: Graph, format: FileFormat): Promise<Written> => {
  const written = writeGraphFile(graph, format);
  const read = written && readDocumentText(written.text);
  if (!written || !read?.ok || !isJsonObject(read.value.value)) throw new CliFailure(`graph ${graph.id} can't be written as a file`);
  const carried = await readCarried(file);
  const isPlain = Object.keys(carried).length === 0;
  await replaceFile(file, isPlain ? written.text : formatDocument({ ...read.value.value, ...carried }, format));

  return { hash: written.hash, leftOut: written.leftOut.length };
};

const basesSchema = z.strictObject({ format: z.literal("countersign/pull/v1"), bases: z.record(z.string(), hexDigestSchema) });

const basesFile = (file: string): string => path.join(path.dirname(file), ".countersign-pull.json");

const readBases = async (file: string): Promise<Readonly<Record<string, HexDigest>>> =>
  (await isMissing(basesFile(file))) ? {} : (await readParsed(basesFile(file), "record of pulled files", basesSchema)).bases;

/** Digest of the draft that the file was made from; null: unknown. */
export const readBase = async (file: string): Promise<HexDigest | null> =>
  new Map(Object.entries(await readBases(file))).get(path.basename(file)) ?? null;

export const writeBase = async (file: string, base: HexDigest): Promise<void> => {
  const bases = { ...(await readBases(file)), [path.basename(file)]: base };
  const sorted = Object.fromEntries(Object.entries(bases).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  await replaceFile(basesFile(file), `${JSON.stringify({ format: "countersign/pull/v1", bases: sorted }, null, 2)}\n`);
};
