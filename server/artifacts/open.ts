import { getArtifactSource, type Artifact } from "@/lib/artifact";
import { AppError } from "@/lib/errors";
import type { OpenPart, Vault } from "@/server/security/vault";
import { findArtifact, findChunk, type StoredArtifact } from "@/server/store/artifacts";

const DESTROYED = { message: "This file was destroyed." };
const ALTERED = { message: "The stored bytes of this file were altered. Ask an operator." };

const orAltered = <T>(open: () => T): T => {
  try {
    return open();
  } catch (cause) {
    throw new AppError("internal", { ...ALTERED, cause });
  }
};

const openStored = (vault: Vault, { workspaceId, id, wrappedKey }: StoredArtifact, artifact: Artifact): OpenPart =>
  orAltered(() => vault.openFile({ workspace: workspaceId, id, source: getArtifactSource(artifact) }, wrappedKey));

/** @throws AppError not_found once destroyed */
export async function* openArtifact(vault: Vault, workspaceId: string, artifact: Artifact): AsyncGenerator<Uint8Array> {
  const found = await findArtifact(workspaceId, artifact);
  if (!found) throw new AppError("not_found", DESTROYED);
  const openPart = openStored(vault, found, artifact);
  for (let index = 0; index < found.chunks; index += 1) {
    const sealed = await findChunk(found, index);
    if (!sealed) throw new AppError("not_found", DESTROYED);
    yield orAltered(() => openPart({ index, isLast: index === found.chunks - 1 }, sealed));
  }
}
