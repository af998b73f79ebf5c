import type { DeliveryFault } from "@/lib/webhooks/types";
import { AppError } from "@/lib/errors";
import type { Egress } from "@/server/security/egress";
import { SEND_TIMEOUT_MS, type Attempt, type Message, type SendMessage } from "./message";

/** fetch wraps underlying errors. */
const causes = (error: unknown): readonly unknown[] => (error instanceof Error ? [error, ...causes(error.cause)] : []);

const faultOf = (error: unknown): DeliveryFault => {
  const chain = causes(error);
  if (chain.some((each) => each instanceof AppError && each.code === "egress_blocked")) return "blocked";
  const isLate = chain.some((each) => each instanceof Error && /Timeout/u.test(each.name));

  return isLate ? "timeout" : "unreachable";
};

const MOST_ANSWER = 65_536;

const readStart = async (body: AsyncIterable<Uint8Array> | null): Promise<string> => {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    // Leaving the loop ends the stream.
    if (text.length >= MOST_ANSWER) break;
  }

  return text.slice(0, MOST_ANSWER);
};

export const sendBy =
  (egress: Egress): SendMessage =>
  (_workspaceId, message) =>
    sendWebhook(egress, message);

/** Redirects are not followed: their target was never checked. */
const sendWebhook = async (
  egress: Egress,
  { url, payload, isBase64, headers, timeoutMs = SEND_TIMEOUT_MS, readsAnswer }: Message,
): Promise<Attempt> => {
  try {
    const response = await egress.fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", "user-agent": "countersign-webhooks", ...headers },
      body: isBase64 ? Buffer.from(payload, "base64") : payload,
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    const { status: code } = response;
    if (readsAnswer && code === 200) return { ok: true, code, answer: await readStart(response.body) };
    await response.body?.cancel();
    if (code >= 200 && code < 300) return { ok: true, code };

    return { ok: false, code, fault: code >= 300 && code < 400 ? "redirected" : "refused" };
  } catch (error) {
    return { ok: false, code: null, fault: faultOf(error) };
  }
};
