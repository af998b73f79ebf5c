/** Memory paths such as `user.name` and `items.0`. */
import { z } from "zod";
import { FORBIDDEN_KEYS, isJsonObject, ownMember, type Json } from "@/lib/json";

const MEMORY_KEY_PATTERN = /^[a-zA-Z][a-zA-Z0-9_]{0,63}$/;

const MAX_PATH_CHARS = 1_100;

const SEGMENT = /^(?:[a-zA-Z][a-zA-Z0-9_-]{0,63}|0|[1-9][0-9]{0,5})$/;

export const isMemoryKeyName = (key: string): boolean =>
  MEMORY_KEY_PATTERN.test(key) && !(FORBIDDEN_KEYS as readonly string[]).includes(key);

/** Declared memory key. */
export const MEMORY_KEY = z.string().refine(isMemoryKeyName, "a memory key is a letter followed by letters, digits or _");

export type Path = readonly string[];

const parsed = (text: string): Path | null => {
  const segments = text.split(".");
  const [key = "", ...rest] = segments;
  const legal = isMemoryKeyName(key) && rest.length < 16 && rest.every((part) => SEGMENT.test(part));

  return legal && !segments.some((part) => (FORBIDDEN_KEYS as readonly string[]).includes(part)) ? Object.freeze(segments) : null;
};

/** Decisions parse few paths many times. */
const MOST_KNOWN = 4_096;
const known = new Map<string, Path | null>();

/** Parses a path; null if invalid. */
export const parsePath = (text: string): Path | null => {
  const before = known.get(text);
  if (before !== undefined) return before;
  const path = parsed(text);
  if (known.size >= MOST_KNOWN) known.clear();
  if (text.length <= MAX_PATH_CHARS) known.set(text, path);

  return path;
};

export const pathSchema = z
  .string()
  .max(MAX_PATH_CHARS)
  .refine((text) => parsePath(text) !== null, "not a dot path");

/** `*` grants every declared key, with a validator warning. */
export const grantSchema = z.union([z.literal("*"), pathSchema]);

export const isAtOrBelow = (path: Path, above: Path): boolean =>
  above.length <= path.length && above.every((segment, index) => segment === path[index]);

/** Returns whether a grant is the path or lies above it. */
export const isGranted = (grants: readonly string[], path: Path): boolean =>
  grants.some((grant) => {
    if (grant === "*") return true;
    const granted = parsePath(grant);

    return granted !== null && isAtOrBelow(path, granted);
  });

/** Intersects grants. An absent ceiling caps nothing, `[]` everything. */
export const intersectGrants = (grants: readonly string[], ceiling: readonly string[] | undefined): string[] => {
  if (ceiling === undefined) return [...grants];
  const narrow = (from: readonly string[], by: readonly string[]) =>
    from.filter((grant) => {
      const path = parsePath(grant);

      return grant === "*" ? by.includes("*") : path !== null && isGranted(by, path);
    });

  return [...new Set([...narrow(grants, ceiling), ...narrow(ceiling, grants)])];
};

const isIndex = (segment: string) => /^(?:0|[1-9][0-9]*)$/.test(segment);

/** Reads own members only. */
export const getValueAt = (root: Json | undefined, path: Path): Json | undefined =>
  path.reduce<Json | undefined>((value, segment) => {
    if (Array.isArray(value)) return isIndex(segment) ? (value as readonly Json[])[Number(segment)] : undefined;

    return ownMember(value, segment);
  }, root);

export const getValueAtText = (root: Json | undefined, text: string): Json | undefined => {
  const path = parsePath(text);

  return path ? getValueAt(root, path) : undefined;
};

/** Returns whether a write at `path` changes only it: scalars on the way would be lost, indexes past the end unlabelled. */
export const hasPlaceAt = (root: Json | undefined, path: Path): boolean => {
  const [segment, ...rest] = path;
  if (segment === undefined || root === undefined) return true;
  if (Array.isArray(root)) {
    const items = root as readonly Json[];

    return isIndex(segment) && Number(segment) <= items.length && hasPlaceAt(items[Number(segment)], rest);
  }

  return isJsonObject(root) && hasPlaceAt(ownMember(root, segment), rest);
};

/** Copies `root` with `value` at `path`, from segment `at`. */
export const withValueAt = (root: Json | undefined, path: Path, value: Json, at = 0): Json => {
  const segment = path[at];
  if (segment === undefined) return value;
  if (Array.isArray(root) && isIndex(segment)) {
    const items = root as readonly Json[];
    const index = Math.min(Number(segment), items.length);

    return [...items.slice(0, index), withValueAt(items[index], path, value, at + 1), ...items.slice(index + 1)];
  }
  const base = isJsonObject(root) ? root : {};

  return { ...base, [segment]: withValueAt(ownMember(base, segment), path, value, at + 1) };
};
