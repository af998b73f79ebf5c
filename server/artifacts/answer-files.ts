import { getArtifactDigest, type Artifact } from "@/lib/artifact";
import type { HexDigest } from "@/lib/hash";
import { isJsonObject, type Json } from "@/lib/json";
import { AppError } from "@/lib/errors";
import type { Vault } from "@/server/security/vault";
import { receiveArtifact } from "./receive";

type Call = { readonly workspaceId: string; readonly effectId: string; readonly tool: string };

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/u;

const decode = (value: Json | undefined): Buffer | null =>
  typeof value === "string" && value.length % 4 === 0 && BASE64.test(value) ? Buffer.from(value, "base64") : null;

const toStream = (bytes: Uint8Array): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start: (controller) => {
      controller.enqueue(bytes);
      controller.close();
    },
  });

type Stored = Artifact | { readonly notStored: string };

const store = async (vault: Vault, { workspaceId, effectId }: Call, name: string, bytes: Buffer): Promise<Stored> => {
  try {
    const upload = { workspaceId, givenBy: effectId, name, body: toStream(bytes), digest: null, length: bytes.length };

    return await receiveArtifact(vault, upload);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;

    return { notStored: error.message };
  }
};

type Replace = (name: string, bytes: Buffer) => Promise<Stored>;

const replaceIn = async (block: Json, tool: string, replace: Replace): Promise<Json> => {
  if (!isJsonObject(block)) return block;
  const { type, data, resource } = block;
  if (type === "image" || type === "audio") {
    const { data: _data, ...others } = block;
    const bytes = decode(data);

    return bytes ? { ...others, file: await replace(tool, bytes) } : block;
  }
  if (type !== "resource" || !isJsonObject(resource)) return block;
  const { blob, ...others } = resource;
  const { uri } = others;
  const bytes = decode(blob);

  return bytes ? { ...block, resource: { ...others, file: await replace(typeof uri === "string" ? uri : tool, bytes) } } : block;
};

/** @returns the digests of stored ones */
export const storeAnswerFiles = async (
  vault: Vault,
  call: Call,
  result: Json,
): Promise<{ readonly result: Json; readonly artifacts: readonly HexDigest[] }> => {
  const content = isJsonObject(result) ? result["content"] : undefined;
  if (!isJsonObject(result) || !Array.isArray(content)) return { result, artifacts: [] };
  const artifacts: HexDigest[] = [];
  const replace: Replace = async (name, bytes) => {
    const stored = await store(vault, call, name, bytes);
    if (!("notStored" in stored)) artifacts.push(getArtifactDigest(stored));

    return stored;
  };
  const replaced: Json[] = [];
  for (const block of content) replaced.push(await replaceIn(block, call.tool, replace));

  return { result: { ...result, content: replaced }, artifacts };
};
