/** References to stored files. The bytes have the label of a cell only if its provenance names exactly this reference. */
import { z } from "zod";
import type { Label } from "@/lib/graph/label";
import { digestOf, hexDigestSchema, type HexDigest } from "@/lib/hash";
import { isJsonObject, type Json, type JsonObject } from "@/lib/json";
import { isVisibleName, stripUnseen } from "@/lib/visible-name";

export const ARTIFACT_FORMAT = "artifact";
export const MOST_NAME = 120;

const MARK = "$artifact";

export const artifactSchema = z.strictObject({
  [MARK]: hexDigestSchema.describe("SHA-256 of the bytes, hex."),
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
    if (Array.isArray(next)) for (const item of next) left.push(item);
    if (!isJsonObject(next)) continue;
    if (Object.hasOwn(next, MARK)) found.push(next);
    else for (const member of Object.values(next)) left.push(member);
  }

  return found;
};

const readArtifact = (value: JsonObject): Artifact | null => artifactSchema.safeParse(value).data ?? null;

/** Lists well-formed references; null among them: a malformed one. */
export const listReferences = (value: Json): readonly (Artifact | null)[] => listMarked(value).map(readArtifact);

/** Names a reference in full: under another name or type it is another file. */
export const getArtifactDigest = (artifact: Artifact): HexDigest => digestOf("artifact", artifact);

export const toArtifactSource = (digest: HexDigest): string => `file:${digest}`;

export const getArtifactSource = (artifact: Artifact): string => toArtifactSource(getArtifactDigest(artifact));

/** Lists the files of a value that its label vouches for. */
export const listArtifacts = (value: Json, { provenance }: Pick<Label, "provenance">): readonly Artifact[] =>
  listReferences(value)
    .filter((artifact) => artifact !== null)
    .filter((artifact) => provenance.includes(getArtifactSource(artifact)));

/** Joins the references of a value to its label's provenance. */
export const withArtifacts = (label: Label, artifacts: readonly Artifact[]): Label =>
  artifacts.length === 0
    ? label
    : { ...label, provenance: [...new Set([...label.provenance, ...artifacts.map(getArtifactSource)])].toSorted() };

/** Keeps the last segment without invisible characters. */
export const toArtifactName = (text: string): string => {
  const name = stripUnseen(text.toWellFormed().split(/[/\\]/u).at(-1) ?? "")
    .slice(0, MOST_NAME)
    .toWellFormed()
    .trim();

  return isVisibleName(name) && name !== "" && !/^\.+$/u.test(name) ? name : "file";
};
