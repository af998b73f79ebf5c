import { createHash } from "node:crypto";
import { getArtifactSource, toArtifactName, type Artifact } from "@/lib/artifact";
import { ApiError } from "@/server/api/problem";
import { systemClock } from "@/server/clock";
import { readEnv } from "@/server/env";
import type { Vault } from "@/server/security/vault";
import { countArtifactBytes, insertArtifact, insertChunk } from "@/server/store/artifacts";
import { sniffMediaType } from "./media-type";

export const CHUNK_BYTES = 262_144;
const HEAD_BYTES = 4_096;
const MIB = 1_048_576;

export type Upload = {
  readonly workspaceId: string;
  readonly givenBy: string;
  readonly name: string;
  readonly body: ReadableStream<Uint8Array> | null;
  readonly digest: string | null;
  readonly length: number | null;
};

const tooLarge = (mostBytes: number): ApiError =>
  new ApiError("bad_request", `The file is larger than ${mostBytes / MIB} MiB. Choose a smaller one.`, { status: 413 });

const isFull = (mostBytes: number): ApiError =>
  new ApiError("bad_request", `The files of this workspace use all of their ${mostBytes / MIB} MiB. Ask an operator.`, { status: 413 });

const broken = (message: string): ApiError => new ApiError("bad_request", message, { status: 422 });

async function* inChunks(body: AsyncIterable<Uint8Array> | readonly Uint8Array[], mostBytes: number): AsyncGenerator<Uint8Array> {
  let kept: Uint8Array[] = [];
  let keptBytes = 0;
  let size = 0;
  for await (const piece of body) {
    size += piece.byteLength;
    if (size > mostBytes) throw tooLarge(mostBytes);
    kept.push(piece);
    keptBytes += piece.byteLength;
    if (keptBytes <= CHUNK_BYTES) continue;
    const all = Buffer.concat(kept);
    // One byte stays, to know the last piece.
    const whole = Math.floor((all.length - 1) / CHUNK_BYTES) * CHUNK_BYTES;
    for (let at = 0; at < whole; at += CHUNK_BYTES) yield all.subarray(at, at + CHUNK_BYTES);
    kept = [all.subarray(whole)];
    keptBytes = all.length - whole;
  }
  if (keptBytes > 0) yield Buffer.concat(kept);
}

const limits = () => {
  const { COUNTERSIGN_FILE_MIB: file, COUNTERSIGN_WORKSPACE_FILES_MIB: workspace } = readEnv();

  return { fileBytes: file * MIB, workspaceBytes: workspace * MIB };
};

/** @throws ApiError */
export const receiveArtifact = async (
  vault: Vault,
  { workspaceId, givenBy, body, digest, length, ...upload }: Upload,
): Promise<Artifact> => {
  const { fileBytes, workspaceBytes } = limits();
  if (length !== null && length > fileBytes) throw tooLarge(fileBytes);
  if ((await countArtifactBytes(workspaceId)) + (length ?? 1) > workspaceBytes) throw isFull(workspaceBytes);
  const id = systemClock.id();
  const name = toArtifactName(upload.name);
  const sealer = vault.sealFile(workspaceId, id);
  const hash = createHash("sha256");
  let [size, chunks, mediaType] = [0, 0, ""];
  let waiting: Uint8Array | null = null;
  const store = async (bytes: Uint8Array, isLast: boolean): Promise<void> => {
    if (chunks === 0) mediaType = sniffMediaType(bytes.subarray(0, HEAD_BYTES), name);
    hash.update(bytes);
    size += bytes.length;
    await insertChunk({ workspaceId, id }, { index: chunks, size: bytes.length, sealed: sealer.seal({ index: chunks, isLast }, bytes) });
    chunks += 1;
  };
  for await (const chunk of inChunks(body ?? [], fileBytes)) {
    if (waiting) await store(waiting, false);
    waiting = chunk;
  }
  if (waiting === null) throw broken("The file is empty.");
  await store(waiting, true);
  if (length !== null && length !== size) throw broken("The file did not arrive whole. Upload it again.");
  const sha256 = hash.digest("hex");
  if (digest !== null && digest !== sha256) throw broken("The file changed on its way: its digest differs. Upload it again.");
  const artifact: Artifact = { $artifact: sha256, id, mediaType, size, name };
  const wrappedKey = sealer.wrapKey(getArtifactSource(artifact));
  const isStored = await insertArtifact({ workspaceId, id, artifact, chunks, wrappedKey, givenBy }, workspaceBytes);
  if (!isStored) throw isFull(workspaceBytes);

  return artifact;
};
