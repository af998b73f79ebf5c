/** Parses `countersign keys` output, or a name and key per line. */
import { z } from "zod";
import { readJsonText } from "@/lib/json-text";
import type { PublicKeys } from "@/lib/engine/ledger/signature";

const KEY = /^[A-Za-z0-9_-]{43}$/u;
const keysSchema = z.record(z.string().min(1).max(64), z.string().regex(KEY));

const fromLines = (text: string): unknown =>
  Object.fromEntries(
    text
      .split("\n")
      .map((line) => line.trim().split(/[\s:,]+/u))
      .filter(([name]) => name !== ""),
  );

const LIMITS = { maxBytes: 65_536, maxDepth: 4 };

const raw = (text: string): unknown => {
  const read = readJsonText(text, LIMITS);
  if (read.ok) return read.value;

  return read.error === "no_json" ? fromLines(text) : null;
};

/** @returns null without valid keys */
export const parsePastedKeys = (text: string): PublicKeys | null => {
  const keys = keysSchema.safeParse(raw(text)).data;

  return keys && Object.keys(keys).length > 0 ? keys : null;
};
