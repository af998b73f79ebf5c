import { AppError } from "@/lib/errors";
import { readEnv } from "@/server/env";

export const MAX_BODY_BYTES = 1024 * 1024;
export const MAX_JSON_DEPTH = 32;

/** On loopback, all names of this machine. */
const allowedOrigins = (): ReadonlySet<string> => {
  const { NEXTAUTH_URL: url, COUNTERSIGN_LOOPBACK: isLoopback, PORT: port } = readEnv();
  const own = url ? [new URL(url).origin] : [];
  const local = isLoopback ? ["localhost", "127.0.0.1", "[::1]"].map((host) => new URL(`http://${host}:${port}`).origin) : [];

  return new Set([...own, ...local]);
};

/** Scripts cannot choose the Origin header. @throws AppError forbidden */
export const guardOrigin = (headers: Headers): void => {
  const origin = headers.get("origin");
  if (origin === null || !allowedOrigins().has(origin))
    throw new AppError("forbidden", { message: "The request comes from another origin." });
};

/** Requires a non-form content type too. @throws AppError forbidden or bad_request */
export const guardMutation = (headers: Headers): void => {
  guardOrigin(headers);
  const contentType = headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (contentType !== "application/json") throw new AppError("bad_request", { message: "The body must be application/json." });
};

/** Measures depth without parsing. */
export const measureJsonDepth = (text: string): number => {
  let depth = 0;
  let deepest = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index += 1) {
    const char = text[index];
    if (isInString) {
      if (char === "\\") index += 1;
      else if (char === '"') isInString = false;
    } else if (char === '"') isInString = true;
    else if (char === "{" || char === "[") deepest = Math.max(deepest, (depth += 1));
    else if (char === "}" || char === "]") depth -= 1;
  }

  return deepest;
};

/** Ignores the declared length. @throws AppError bad_request */
export const readBody = async (body: ReadableStream<Uint8Array> | null): Promise<string> => {
  if (body === null) return "";
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > MAX_BODY_BYTES) throw new AppError("bad_request", { message: "The body is larger than 1 MiB." });
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString("utf8");
  if (measureJsonDepth(text) > MAX_JSON_DEPTH) throw new AppError("bad_request", { message: "The body is nested too deeply." });

  return text;
};
