import { JSON_TEXT_FAULTS, readJsonText } from "@/lib/json-text";
import type { Json } from "@/lib/json";
import { AppError } from "@/lib/errors";
import { MAX_BODY_BYTES, MAX_JSON_DEPTH, readBody } from "@/server/security/request-guard";
import { ApiError } from "./problem";

const isJson = (request: Request): boolean =>
  request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() === "application/json";

/** @throws AppError bad_request */
export const readJsonBody = async (request: Request): Promise<{ readonly text: string; readonly value: Json }> => {
  if (!isJson(request)) throw new ApiError("bad_request", "The body must be application/json.", { status: 415 });
  if (Number(request.headers.get("content-length") ?? 0) > MAX_BODY_BYTES) {
    throw new ApiError("bad_request", "The body is larger than 1 MiB.", { status: 413 });
  }
  const text = await readBody(request.body);
  const read = readJsonText(text, { maxBytes: MAX_BODY_BYTES, maxDepth: MAX_JSON_DEPTH });
  if (!read.ok) throw new AppError("bad_request", { message: JSON_TEXT_FAULTS[read.error] });

  return { text, value: read.value };
};
