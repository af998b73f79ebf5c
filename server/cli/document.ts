import { readFile, stat } from "node:fs/promises";
import type { z } from "zod";
import { DOCUMENT_LIMITS, readDocumentText } from "@/lib/document-text";
import { JSON_TEXT_FAULTS, readJsonText } from "@/lib/json-text";
import type { Json, JsonLimits } from "@/lib/json";
import { isWorkspaceText } from "@/lib/engine/ledger/workspace-export";
import { err, ok, type Result } from "@/lib/result";
import { CliFailure } from "./host";

const LIMITS = { maxBytes: 256 * 1_048_576, maxDepth: 100 };

const firstLine = (error: unknown): string => (error instanceof Error ? error.message : String(error)).split("\n")[0] ?? "";

export const readText = async (file: string): Promise<Result<string, string>> => {
  try {
    // Before reading: an oversized file must not exhaust memory.
    if ((await stat(file)).size > LIMITS.maxBytes) return err(`File ${file} is larger than ${LIMITS.maxBytes / 1_048_576} MiB.`);

    return ok((await readFile(file, "utf8")).replace(/^\uFEFF/, ""));
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";

    return err(code === "ENOENT" ? `File ${file} does not exist.` : `Cannot read file ${file} (${code || firstLine(error)}).`);
  }
};

const strictly = (file: string, text: string, limits: JsonLimits): Result<Json, string> => {
  const read = readDocumentText(text, limits);
  if (read.ok) return ok(read.value.value);
  const { message, place } = read.error;

  return err(`File ${file} is not valid JSON or YAML${place === null ? "" : ` (line ${place.line}, column ${place.column})`}: ${message}`);
};

/** Reads a document. JSON skips the YAML parser: ledgers can be long. */
export const readDocument = async (file: string): Promise<Result<Json, string>> => {
  const text = await readText(file);
  if (!text.ok) return text;
  const json = readJsonText(text.value, LIMITS);
  if (json.ok) return json;
  if (json.error === "no_json") return strictly(file, text.value, LIMITS);

  return err(`File ${file} is not valid JSON. ${JSON_TEXT_FAULTS[json.error]}`);
};

export const readWorkspaceText = async (file: string): Promise<string | null> => {
  const text = await readText(file);

  return text.ok && isWorkspaceText(text.value) ? text.value : null;
};

export const readStrictDocument = async (file: string): Promise<Result<Json, string>> => {
  const text = await readText(file);

  return text.ok ? strictly(file, text.value, DOCUMENT_LIMITS) : text;
};

export const readParsed = async <T>(file: string, what: string, schema: z.ZodType<T>): Promise<T> => {
  const document = await readDocument(file);
  if (!document.ok) throw new CliFailure(document.error);
  const parsed = schema.safeParse(document.value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const at = issue?.path.map(String).join(".") ?? "";
  throw new CliFailure(`${file} is not a valid ${what}: ${at === "" ? "" : `${at}: `}${issue?.message ?? "unknown format"}`);
};
