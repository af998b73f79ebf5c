import type { Artifact } from "@/lib/artifact";
import { createPlaces } from "@/server/api/places";
import { ApiError } from "@/server/api/problem";
import { getWebVault } from "@/server/web/web-vault";
import { receiveArtifact } from "./receive";

/** Each holds a chunk in memory. */
const places = createPlaces({ perKey: 4, inAll: 16 });

const SHA256 = /^sha-256=:(?<base64>[A-Za-z0-9+/]{43}=):$/u;

/** RFC 9530. @throws ApiError */
const readDigest = (header: string | null): string | null => {
  if (header === null) return null;
  const base64 = SHA256.exec(header.trim())?.groups?.["base64"];
  if (base64 === undefined) throw new ApiError("bad_request", "Content-Digest takes sha-256=:…:, base64.", { status: 422 });

  return Buffer.from(base64, "base64").toString("hex");
};

const readLength = (header: string | null): number | null => (header !== null && /^\d{1,15}$/u.test(header) ? Number(header) : null);

/** @throws ApiError */
export const receiveUpload = (
  { workspaceId, givenBy }: { readonly workspaceId: string; readonly givenBy: string },
  request: Request,
): Promise<Artifact> =>
  places.hold(givenBy, () =>
    receiveArtifact(getWebVault(), {
      workspaceId,
      givenBy,
      name: new URL(request.url).searchParams.get("name") ?? "",
      body: request.body,
      digest: readDigest(request.headers.get("content-digest")),
      length: readLength(request.headers.get("content-length")),
    }),
  );
