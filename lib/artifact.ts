/** References to files. A label vouches for exactly those that its provenance names. */
import { z } from "zod";
import type { Label } from "@/lib/graph/label";
import { digestOf, hexDigestSchema, type HexDigest } from "@/lib/hash";
import { uuidSchema } from "@/lib/ids";
import { isJsonObject, type Json, type JsonObject } from "@/lib/json";
import { isVisibleName, stripUnseen } from "@/lib/visible-name";

export const ARTIFACT_FORMAT = "artifact";
export const MOST_NAME = 120;

const MARK = "$artifact";

export const artifactSchema = z.strictObject({
  [MARK]: hexDigestSchema.describe("SHA-256 of the bytes, hex."),
  id: uuidSchema.describe("Random, so that a label does not reveal the file."),
  mediaType: z
    .string()
    .max(100)
    .regex(/^[a-z]+\/[a-z0-9.+-]+$/u),
  size: z.number().int().min(1).describe("Bytes."),
  name: z
    .string()
    .min(1)
    .max(MOST_NAME)
    .refine((name) => isVisibleName(name) && !/[/\\]/u.test(name)),
});
export type Artifact = z.infer<typeof artifactSchema>;

const listMarked = (value: Json): readonly JsonObject[] => {
  const found: JsonObject[] = [];
  const left: Json[] = [value];
  while (left.length > 0) {
    const next = left.pop();
    const inner = Array.isArray(next) ? next : isJsonObject(next) ? Object.values(next) : [];
    if (isJsonObject(next) && Object.hasOwn(next, MARK)) found.push(next);
    else for (const part of inner.toReversed()) left.push(part);
  }

  return found;
};

const readArtifact = (value: JsonObject): Artifact | null => artifactSchema.safeParse(value).data ?? null;

/** Null: a malformed one. */
export const listReferences = (value: Json): readonly (Artifact | null)[] => listMarked(value).map(readArtifact);

/** Covers name and type too. */
export const getArtifactDigest = (artifact: Artifact): HexDigest => digestOf("artifact", artifact);

export const toArtifactSource = (digest: HexDigest): string => `file:${digest}`;

export const getArtifactSource = (artifact: Artifact): string => toArtifactSource(getArtifactDigest(artifact));

export const listArtifacts = (value: Json, { provenance }: { readonly provenance: readonly string[] }): readonly Artifact[] =>
  listReferences(value)
    .filter((artifact) => artifact !== null)
    .filter((artifact) => provenance.includes(getArtifactSource(artifact)));

export const withArtifacts = (label: Label, artifacts: readonly Artifact[]): Label =>
  artifacts.length === 0
    ? label
    : { ...label, provenance: [...new Set([...label.provenance, ...artifacts.map(getArtifactSource)])].toSorted() };

export const toArtifactName = (text: string): string => {
  const name = stripUnseen(text.toWellFormed().split(/[/\\]/u).at(-1) ?? "")
    .slice(0, MOST_NAME)
    .toWellFormed()
    .trim();

  return isVisibleName(name) && name !== "" && !/^\.+$/u.test(name) ? name : "file";
};
