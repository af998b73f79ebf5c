import { CONTRACT } from "@/lib/api/contract";
import { computeWaitTokenHash } from "@/lib/engine/decide/wait";
import { deriveId } from "@/server/derived-id";
import { hasHandedOut } from "@/server/store/runs/wait-tokens";
import { computeWaitTokenId, readWaitPlace } from "@/server/waits/wait-token";
import { submitCommand } from "@/server/web/submit-command";
import { readJsonBody } from "./body";
import { toInputError } from "./problem";

export const readWaitAddress = ([first, second = "", ...more]: readonly string[]): string | null =>
  first === "waits" && more.length === 0 && readWaitPlace(second) ? second : null;

const readValue = async (request: Request, isWhole: boolean) => {
  const { text, value } = await readJsonBody(request);
  if (isWhole) return { text, value };
  const body = CONTRACT.answerWaitByToken.body.safeParse(value);
  if (!body.success) throw toInputError(body.error);

  return { text, value: body.data.value };
};

/** @param isWhole the body is the value @returns null: an unknown token @throws AppError */
export const answerByToken = async (request: Request, token: string, isWhole: boolean): Promise<Response | null> => {
  const place = readWaitPlace(token);
  const hash = computeWaitTokenHash(token);
  if (!place || !(await hasHandedOut(place, hash))) return null;
  const { text, value } = await readValue(request, isWhole);
  const key = request.headers.get("idempotency-key");
  const command = key === null ? undefined : deriveId({ wait: hash, key, text });
  const author = { type: "wait", token: computeWaitTokenId(token) } as const;
  const accepted = await submitCommand({ ...place, author, body: { kind: "answer_wait", token, value } }, command);

  return Response.json(CONTRACT.answerWaitByToken.response.parse(accepted));
};
