import type { Artifact } from "@/lib/artifact";
import { AppError } from "@/lib/errors";
import { openArtifact } from "@/server/artifacts/open";
import { ModelError, type GenerateRequest, type ModelFile } from "@/server/models/contract";
import { countFileTokens, isReadable } from "@/server/models/file-kinds";
import type { Vault } from "@/server/security/vault";

const MOST_FILES = 20;
const MIB = 1_048_576;
/** As base64 in one frame. */
const MOST_BYTES = 20 * MIB;

const unusable = (message: string): ModelError => new ModelError("model_file_unusable", false, message, { billed: "no" });

const read = async (vault: Vault, workspaceId: string, artifact: Artifact): Promise<ModelFile> => {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of openArtifact(vault, workspaceId, artifact)) chunks.push(chunk);
  } catch (error) {
    if (error instanceof AppError) throw unusable("A file of this call was destroyed or altered.");
    throw error;
  }
  const bytes = Buffer.concat(chunks);
  const { name, mediaType } = artifact;

  return { name, mediaType, base64: bytes.toString("base64"), tokens: countFileTokens(mediaType, bytes) };
};

const textOf = ({ prompt, thread }: Pick<GenerateRequest, "prompt" | "thread">): string => `${prompt}\n${JSON.stringify(thread)}`;

/** Opens the named ones among the visible. @throws ModelError */
export const readModelFiles = async (
  vault: Vault,
  workspaceId: string,
  visible: readonly Artifact[],
  call: Pick<GenerateRequest, "prompt" | "thread">,
): Promise<readonly ModelFile[]> => {
  const text = visible.length === 0 ? "" : textOf(call);
  const named = visible.filter(({ id, mediaType }) => isReadable(mediaType) && text.includes(id));
  const bytes = named.reduce((sum, { size }) => sum + size, 0);
  if (named.length > MOST_FILES || bytes > MOST_BYTES) {
    throw unusable(`A model is given at most ${MOST_FILES} files and ${MOST_BYTES / MIB} MiB in one call.`);
  }

  return Promise.all(named.map((artifact) => read(vault, workspaceId, artifact)));
};
