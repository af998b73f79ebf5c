import { arrivalSchema, getArrivalPlace, MOST_EVENT_BYTES, MOST_HEADER_CHARS, SIGNATURE_HEADERS } from "@/lib/graph/triggers/arrival";
import { idSchema, uuidSchema } from "@/lib/ids";
import type { RefusalCode } from "@/lib/refusal";
import { getClientNetwork } from "@/server/auth/client-address";
import { systemClock } from "@/server/clock";
import { createRateLimiter } from "@/server/security/rate-limit";
import { findArrivalAnswer, insertArrival, type TriggerPlace } from "@/server/store/triggers/events";
import { hasTrigger } from "@/server/store/triggers/projection";
import { awaitAnswer } from "./await-answer";
import { getWebVault } from "./web-vault";

const MINUTE_MS = 60_000;
const perTrigger = createRateLimiter({ limit: 600, windowMs: MINUTE_MS }, systemClock);
const perAddress = createRateLimiter({ limit: 600, windowMs: MINUTE_MS }, systemClock);

/** Senders such as Slack wait three seconds. */
const MOST_WAIT_MS = 2_000;

const HEADERS = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };

const answer = (status: number, body: object, headers: Readonly<Record<string, string>> = {}): Response =>
  Response.json(body, { status, headers: { ...HEADERS, ...headers } });

const fail = (status: number, code: string, headers?: Readonly<Record<string, string>>): Response => answer(status, { code }, headers);

const readBytes = async (body: ReadableStream<Uint8Array> | null): Promise<Buffer | null> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > MOST_EVENT_BYTES) return null;
    chunks.push(chunk);
  }

  return Buffer.concat(chunks);
};

const signatureHeaders = (headers: Headers): Record<string, string> =>
  Object.fromEntries(
    SIGNATURE_HEADERS.flatMap((name) => {
      const value = headers.get(name);

      return value === null || value.length > MOST_HEADER_CHARS ? [] : [[name, value]];
    }),
  );

/** Slack's question whether an address listens. */
const readChallenge = (bytes: Buffer): string | null => {
  if (bytes.length > 2_000) return null;
  try {
    const asked: unknown = JSON.parse(bytes.toString("utf8"));
    if (typeof asked !== "object" || asked === null || Reflect.get(asked, "type") !== "url_verification") return null;
    const challenge: unknown = Reflect.get(asked, "challenge");

    return typeof challenge === "string" && /^\w{1,200}$/u.test(challenge) ? challenge : null;
  } catch {
    return null;
  }
};

const STATUSES: Partial<Record<RefusalCode, number>> = {
  trigger_signature: 401,
  trigger_late: 401,
  trigger_too_large: 413,
  trigger_payload: 422,
  // So that senders stop sending it.
  trigger_duplicate: 200,
  trigger_busy: 429,
  trigger_unavailable: 404,
};

const readPlace = (parts: TriggerPlace): TriggerPlace | null => {
  const { workspaceId, graphId, trigger } = parts;
  const isPlace = uuidSchema.safeParse(workspaceId).success && uuidSchema.safeParse(graphId).success && idSchema.safeParse(trigger).success;

  return isPlace ? parts : null;
};

export const handleTriggerRequest = async (request: Request, parts: TriggerPlace): Promise<Response> => {
  const place = readPlace(parts);
  if (!place) return fail(404, "not_found");
  const { workspaceId, graphId, trigger } = place;
  const address = getClientNetwork(request.headers.get("x-forwarded-for"));
  if (!perAddress.take(address) || !perTrigger.take(`${workspaceId} ${graphId} ${trigger}`))
    return fail(429, "rate_limited", { "Retry-After": "60" });
  if (!(await hasTrigger(place, "webhook"))) return fail(404, "not_found");
  const bytes = await readBytes(request.body);
  const challenge = bytes && readChallenge(bytes);
  if (challenge !== null) return new Response(challenge, { headers: { ...HEADERS, "Content-Type": "text/plain" } });
  const id = systemClock.id();
  const arrival = arrivalSchema.parse({ headers: signatureHeaders(request.headers), body: bytes && bytes.toString("base64") });
  const sealed = getWebVault().sealCommand(workspaceId, getArrivalPlace(id), arrival);
  if (!(await insertArrival(place, id, sealed))) return fail(503, "runner_silent", { "Retry-After": "60" });
  const decided = await awaitAnswer(id, () => findArrivalAnswer(workspaceId, id), MOST_WAIT_MS);
  if (!decided) return answer(202, { id });
  const { status, code, runId } = decided;

  return code === null ? answer(202, { id, status, ...(runId === null ? {} : { runId }) }) : answer(STATUSES[code] ?? 422, { id, code });
};
