/** Latency counts from the scheduled arrival, so a stalled server is not spared its queue. */
import { setTimeout as wait } from "node:timers/promises";
import { Agent, request } from "undici";

const PATIENCE_MS = 60_000;
const CONNECTIONS = 256;

export type Ask = {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

export type Answer = {
  readonly latencyMs: number;
  /** 0: none came. */
  readonly status: number;
  readonly text: string;
};

export type Sender = {
  readonly send: (ask: Ask, arrivesAtMs?: number) => Promise<Answer>;
  readonly close: () => Promise<void>;
};

export const openSender = (origin: string): Sender => {
  const dispatcher = new Agent({ connections: CONNECTIONS, headersTimeout: PATIENCE_MS, bodyTimeout: PATIENCE_MS });

  return {
    send: async ({ path, headers, body }, arrivesAtMs = performance.now()) => {
      const sent = await request(`${origin}${path}`, { method: "POST", headers: { ...headers }, body, dispatcher })
        .then(async ({ statusCode, body: answered }) => ({ status: statusCode, text: await answered.text() }))
        .catch((error: unknown) => ({ status: 0, text: String(error) }));

      return { ...sent, latencyMs: performance.now() - arrivesAtMs };
    },
    close: () => dispatcher.close(),
  };
};

export const sendAtRate = async ({ send }: Sender, asks: readonly Ask[], perSecond: number): Promise<readonly Answer[]> => {
  const beganAtMs = performance.now();
  const answers: Promise<Answer>[] = [];
  for (const [index, ask] of asks.entries()) {
    const arrivesAtMs = beganAtMs + (index * 1_000) / perSecond;
    const early = arrivesAtMs - performance.now();
    if (early > 0) await wait(early);
    answers.push(send(ask, arrivesAtMs));
  }

  return Promise.all(answers);
};
