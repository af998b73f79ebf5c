import { stringify } from "yaml";
import { readDocumentText, type TextPlace } from "@/lib/document-text";
import { graphSchema, type Graph } from "@/lib/graph/document";
import { findShapeProblems } from "@/lib/graph/problems/shape";
import { digestOf, type HexDigest } from "@/lib/hash";
import { isJsonObject, jsonSchema, type Json, type JsonObject } from "@/lib/json";
import { err, ok, type Result } from "@/lib/result";
import { stripSecrets, type LeftOut } from "@/lib/secrets/leave-out";

export const FILE_FORMATS = ["yaml", "json"] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

const plainGraph = (graph: Graph): Json => jsonSchema.parse(JSON.parse(JSON.stringify(graphSchema.parse(graph))));

/** Hashes content without `id` or registry, so that copies compare equal: SHA-256 over canonical JSON. */
export const computeContentHash = (graph: Graph): HexDigest => digestOf("document", plainGraph({ ...graph, id: "content" }));

export const formatDocument = (value: Json, format: FileFormat): string =>
  format === "json"
    ? `${JSON.stringify(value, null, 2)}\n`
    : // A prompt's lines stay lines.
      stringify(value, { schema: "core", version: "1.2", lineWidth: 0, aliasDuplicateObjects: false });

export type GraphText = {
  readonly text: string;
  /** After secrets were left out. */
  readonly hash: HexDigest;
  readonly leftOut: readonly LeftOut[];
};

/** Writes a document without apparent secrets; null if it would not read back equal. */
export const writeGraphFile = (graph: Graph, format: FileFormat): GraphText | null => {
  const { value, leftOut } = stripSecrets(plainGraph(graph));
  const clean = graphSchema.safeParse(value);
  if (!clean.success) return null;
  const hash = computeContentHash(clean.data);
  const text = formatDocument(plainGraph(clean.data), format);
  const back = readGraphFile(text);

  return back.ok && computeContentHash(back.value.graph) === hash ? { text, hash, leftOut } : null;
};

export type FileProblem = { readonly message: string; readonly place: TextPlace | null };

export type ReadGraph = {
  readonly graph: Graph;
  readonly hash: HexDigest;
  /** Ignored here: agents and graphs come from the registry. */
  readonly carried: readonly ("agents" | "subgraphs")[];
};

const CARRIED = ["agents", "subgraphs"] as const;

const documentOf = (value: Json): JsonObject | null =>
  isJsonObject(value) && (value["nodes"] !== undefined || value["format"] !== undefined) ? value : null;

/** Reads a graph file whole, or at most 200 problems. */
export const readGraphFile = (text: string): Result<ReadGraph, readonly FileProblem[]> => {
  const read = readDocumentText(text);
  if (!read.ok) return err([read.error]);
  const whole = documentOf(read.value.value);
  if (!whole) return err([{ message: "Not a graph: it has neither a format nor nodes.", place: read.value.placeOf([]) }]);
  const { agents: _agents, subgraphs: _subgraphs, ...document } = whole;
  const parsed = graphSchema.safeParse(document);
  if (!parsed.success) {
    const { issues } = parsed.error;

    return err(
      findShapeProblems(document, issues).map(({ message }, index) => ({ message, place: read.value.placeOf(issues[index]?.path ?? []) })),
    );
  }

  return ok({
    graph: parsed.data,
    hash: computeContentHash(parsed.data),
    carried: CARRIED.filter((name) => whole[name] !== undefined),
  });
};

/** Returns a file name without secrets. */
export const formatGraphFileName = (graph: Graph, hash: HexDigest, format: FileFormat): string => {
  const name = stripSecrets(graph.name)
    .value.toLowerCase()
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 60);

  return `${name === "" ? "graph" : name}.${hash.slice(0, 8)}.${format}`;
};
