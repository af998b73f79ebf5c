import type { Artifact } from "@/lib/artifact";
import { AppError } from "@/lib/errors";
import type { Vault } from "@/server/security/vault";
import { findArtifact, findChunk } from "@/server/store/artifacts";

const DESTROYED = { message: "This file was destroyed." };

/** @throws AppError not_found once destroyed */
export async function* openArtifact(vault: Vault, workspaceId: string, artifact: Artifact): AsyncGenerator<Uint8Array> {
  const found = await findArtifact(workspaceId, artifact);
  if (!found) throw new AppError("not_found", DESTROYED);
  const openPart = vault.openFile(workspaceId, found.id, found.wrappedKey);
  for (let index = 0; index < found.chunks; index += 1) {
    const sealed = await findChunk(found, index);
    if (!sealed) throw new AppError("not_found", DESTROYED);
    yield openPart({ index, isLast: index === found.chunks - 1 }, sealed);
  }
}
