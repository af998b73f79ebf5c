/** Runs in a tool host. */
import { createHash } from "node:crypto";
import { ProtocolError, SdkError, SdkErrorCode, type Client, type ReadResourceResult } from "@modelcontextprotocol/client";
import { resourceContentSchema, type ReadFault, type ResourceContent } from "@/lib/graph/triggers/resource";
import type { Clock } from "@/server/clock";
import { redactText } from "./redact";
import type { ResourceAnswer } from "./resource-answer";

export const MOST_SUBSCRIPTIONS = 20;
const TIMEOUT_MS = 15_000;
/** Its trigger is gone. */
const UNUSED_MS = 3_600_000;

const faultOf = (error: unknown): ReadFault => {
  if (error instanceof ProtocolError) return "resource_refused";
  if (!(error instanceof SdkError)) return "unreachable";
  if (error.code === SdkErrorCode.RequestTimeout) return "timeout";

  return error.code === SdkErrorCode.ConnectionClosed || error.code === SdkErrorCode.NotConnected ? "unreachable" : "resource_refused";
};

const toContent = (contents: ReadResourceResult["contents"], secrets: readonly string[]): ResourceContent => {
  const [only, ...more] = contents;
  const text = only && more.length === 0 && "text" in only ? only.text : null;
  const clean = (said: string): string => redactText(said.replaceAll("\0", "").toWellFormed(), secrets);
  const content = resourceContentSchema.safeParse({ mime_type: clean(only?.mimeType ?? ""), text: text === null ? null : clean(text) });
  if (content.success) return content.data;

  return { fault: text === null ? "unreadable" : "too_large", digest: createHash("sha256").update(JSON.stringify(contents)).digest("hex") };
};

type Opened = { readonly end: () => Promise<unknown>; readonly closed?: Promise<unknown> };
type Subscription = { usedMs: number; isTold: boolean; readonly end: Opened["end"] };

type Reading = {
  readonly client: Client;
  readonly secrets: readonly string[];
  readonly clock: Clock;
  readonly onUpdated: (uri: string) => void;
};

export type ReadResource = (uri: string, signal: AbortSignal) => Promise<ResourceAnswer>;

export const createResourceReader = ({ client, secrets, clock, onUpdated }: Reading): ReadResource => {
  const subscriptions = new Map<string, Subscription>();
  let turn: Promise<void> = Promise.resolve();

  client.setNotificationHandler("notifications/resources/updated", ({ params }) => {
    for (const [uri, subscription] of subscriptions) {
      // A server may name a part of what was subscribed.
      if (subscription.isTold || !params.uri.startsWith(uri)) continue;
      subscription.isTold = true;
      onUpdated(uri);
    }
  });

  const open = async (uri: string): Promise<Opened | null> => {
    const timeout = TIMEOUT_MS;
    if (client.getProtocolEra() !== "modern") {
      await client.subscribeResource({ uri }, { timeout });

      return { end: () => client.unsubscribeResource({ uri }, { timeout }) };
    }
    const stream = await client.listen({ resourceSubscriptions: [uri] }, { timeout });
    if (stream.honoredFilter.resourceSubscriptions?.includes(uri) !== true) {
      await stream.close();

      return null;
    }

    return { end: () => stream.close(), closed: stream.closed };
  };

  const dropUnused = (): void => {
    for (const [uri, { usedMs, end }] of subscriptions) {
      if (clock.now() - usedMs <= UNUSED_MS) continue;
      subscriptions.delete(uri);
      void end().catch(() => undefined);
    }
  };

  const subscribe = async (uri: string): Promise<void> => {
    dropUnused();
    if (subscriptions.has(uri) || subscriptions.size >= MOST_SUBSCRIPTIONS) return;
    if (client.getServerCapabilities()?.resources?.subscribe !== true) return;
    const opened = await open(uri).catch(() => null);
    if (!opened) return;
    subscriptions.set(uri, { usedMs: clock.now(), isTold: false, end: opened.end });
    void opened.closed?.then(() => subscriptions.delete(uri));
  };

  return async (uri, signal) => {
    // Two reads would subscribe twice.
    turn = turn.then(() => subscribe(uri));
    await turn;
    const subscription = subscriptions.get(uri);
    if (subscription) Object.assign(subscription, { usedMs: clock.now(), isTold: false });
    try {
      const { contents } = await client.readResource({ uri }, { cacheMode: "bypass", timeout: TIMEOUT_MS, signal });

      return { ok: true, content: toContent(contents, secrets), isSubscribed: subscriptions.has(uri) };
    } catch (error) {
      return { ok: false, fault: faultOf(error) };
    }
  };
};
