/** Memory shown to external agents: granted, cleared, untrusted text enveloped. */
import type { PublishedGraph } from "@/lib/graph/document";
import { joinLabels, type Classification, type Label } from "@/lib/graph/label";
import { isAtOrBelow, parsePath, getValueAt, withValueAt, type Path } from "@/lib/graph/path";
import { isJsonObject, countJsonBytes, type Json, type JsonObject } from "@/lib/json";
import { findWithheld, type Reader, type Sealed, type Withheld } from "@/lib/engine/labels/reading";
import { toMemory, type Cell, type RunState } from "@/lib/engine/state";
import { expandGrants } from "@/lib/engine/view";

const MOST_BYTES = 65_536;
const MOST_BYTES_TOGETHER = 1_048_576;
const MOST_DEPTH = 32;
const MOST_SOURCES = 16;

const ENVELOPES = ["$redacted", "$untrusted", "$too_large"];
const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/u;

export const quoteUntrusted = (text: string, { provenance }: Label): JsonObject => ({
  $untrusted: { text, sources: provenance.slice(0, MOST_SOURCES) },
});

const redacted = (path: string, classification: Classification, reason: Withheld): JsonObject => ({
  $redacted: { path, classification, reason },
});

const tooLarge = (path: string, bytes: number): JsonObject => ({ $too_large: { path, bytes } });

const isDeeper = (value: Json, most: number): boolean => {
  if (typeof value !== "object" || value === null) return false;

  return most === 0 || Object.values(value).some((item: Json) => isDeeper(item, most - 1));
};

/** Untrusted, or imitates our envelopes. */
const hasOddName = (value: JsonObject, label: Label): boolean =>
  Object.keys(value).some((name) => (label.integrity === "untrusted" ? !PLAIN_NAME.test(name) : ENVELOPES.includes(name)));

const enveloped = (value: Json, label: Label): Json => {
  if (typeof value === "string") return label.integrity === "untrusted" ? quoteUntrusted(value, label) : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item: Json) => enveloped(item, label));
  if (!isJsonObject(value)) return value;
  if (hasOddName(value, label)) return quoteUntrusted(JSON.stringify(value), label);

  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, enveloped(item, label)]));
};

type Eye = Reader & { readonly cells: readonly Cell[] };

/** Splits a value where labels differ. */
const seen = (eye: Eye, path: Path, value: Json): Json => {
  const within = eye.cells.filter((cell) => isAtOrBelow(parsePath(cell.path) ?? [], path));
  const from = eye.cells.filter((cell) => isAtOrBelow(path, parsePath(cell.path) ?? ["$"]));
  const label = joinLabels(from.map((cell) => cell.label));
  const withheld = findWithheld(eye, { label, from });
  if (withheld) return redacted(path.join("."), label.confidentiality, withheld);
  const hasParts = within.some((cell) => (parsePath(cell.path) ?? []).length > path.length);
  if (!hasParts || typeof value !== "object" || value === null) return enveloped(value, label);
  if (Array.isArray(value)) return value.map((item: Json, index) => seen(eye, [...path, String(index)], item));
  if (!isJsonObject(value)) return value;
  if (!hasOddName(value, label))
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, seen(eye, [...path, name], item)]));
  // As confidential as its most confidential part.
  const whole = joinLabels([label, ...within.map((one) => one.label)]);
  const wholeWithheld = findWithheld(eye, { label: whole, from: [...from, ...within] });

  return wholeWithheld ? redacted(path.join("."), whole.confidentiality, wholeWithheld) : quoteUntrusted(JSON.stringify(value), whole);
};

export const getShownValue = (eye: Eye, path: Path, value: Json): Json => {
  const name = path.join(".");
  const bytes = isDeeper(value, MOST_DEPTH) ? Number.POSITIVE_INFINITY : countJsonBytes(value);
  if (bytes > MOST_BYTES) return tooLarge(name, Number.isFinite(bytes) ? bytes : countJsonBytes(value));
  const shown = seen(eye, path, value);

  return countJsonBytes(shown) > 4 * MOST_BYTES ? tooLarge(name, bytes) : shown;
};

/** Top level, even inside a subgraph. */
const ownCells = (state: RunState): readonly Cell[] => state.frames[0]?.outer.cells ?? state.cells;

const outermostOf = (grants: readonly string[]): readonly string[] => {
  const paths = [...new Set(grants)].map((grant) => ({ grant, path: parsePath(grant) ?? [] }));
  const isInside = (path: Path) => paths.some((other) => other.path.length < path.length && isAtOrBelow(path, other.path));

  return paths.filter(({ path }) => !isInside(path)).map(({ grant }) => grant);
};

/** @param sealed by open review cases */
export const projectMemory = ({ graph }: PublishedGraph, state: RunState, sealed: Sealed): JsonObject => {
  if (!graph.external) return {};
  const { read_keys: grants, clearance } = graph.external;
  const eye = { cells: ownCells(state), clearance, sealed };
  const memory = toMemory(eye.cells);
  let projected: Json = {};
  let left = MOST_BYTES_TOGETHER;
  for (const grant of outermostOf(expandGrants(graph, grants))) {
    const path = parsePath(grant) ?? [];
    const isDeclared = graph.memory.some(({ key }) => key === path[0]);
    const value = isDeclared ? getValueAt(memory, path) : undefined;
    if (value === undefined) continue;
    const shown = getShownValue(eye, path, value);
    const bytes = countJsonBytes(shown);
    projected = withValueAt(projected, path, bytes > left ? tooLarge(grant, bytes) : shown);
    left -= Math.min(left, bytes);
  }

  return isJsonObject(projected) ? projected : {};
};
