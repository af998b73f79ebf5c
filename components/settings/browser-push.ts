"use client";

import { useSyncExternalStore } from "react";
import { queryOptions } from "@tanstack/react-query";
import { computeBrowserId, type Browser } from "@/lib/notifications/browser";

const WORKER = "/push-worker.js";

const never = () => () => undefined;

const whyHere = (): string | null => {
  if (!window.isSecureContext) return "Web push needs a secure page. Open it with https.";
  const isKnown = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

  return isKnown ? null : "This browser doesn't support web push. On an iPhone, add this page to the home screen and open it there.";
};

export const useWhyNoPush = (): string | null => useSyncExternalStore(never, whyHere, () => null);

const BROWSERS = [
  [/Edg/u, "Edge"],
  [/OPR\//u, "Opera"],
  [/Firefox|FxiOS/u, "Firefox"],
  [/Chrom|CriOS/u, "Chrome"],
  [/Safari/u, "Safari"],
] as const;
const SYSTEMS = [
  [/Android/u, "Android"],
  [/iPhone|iPad/u, "iOS"],
  [/Windows/u, "Windows"],
  [/Mac OS/u, "macOS"],
  [/Linux|X11/u, "Linux"],
] as const;

const describeBrowser = (userAgent: string): string => {
  const find = (names: typeof BROWSERS | typeof SYSTEMS): string | undefined => names.find(([pattern]) => pattern.test(userAgent))?.[1];
  const [browser, system] = [find(BROWSERS) ?? "Browser", find(SYSTEMS)];

  return system === undefined ? browser : `${browser} on ${system}`;
};

const findSubscription = async (): Promise<PushSubscription | null> => {
  const registration = await navigator.serviceWorker.getRegistration(WORKER);

  return (await registration?.pushManager.getSubscription()) ?? null;
};

export const ownBrowserQuery = queryOptions({
  queryKey: ["own-browser"],
  queryFn: async () => {
    const subscription = await findSubscription();

    return subscription && computeBrowserId(subscription.endpoint);
  },
});

export class NotSubscribed extends Error {
  override readonly name = "NotSubscribed";
}

const subscribe = (pushManager: PushManager, key: string): Promise<PushSubscription> =>
  pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }).catch(() => {
    throw new NotSubscribed("This browser can't reach its push service. Try again later, or use another browser.");
  });

/** Asks for permission, so only on a click. @throws NotSubscribed */
export const subscribeBrowser = async (key: string): Promise<Browser> => {
  if ((await Notification.requestPermission()) !== "granted") {
    throw new NotSubscribed("This browser blocks notifications of this page. Allow them in its settings for this site.");
  }
  await navigator.serviceWorker.register(WORKER);
  const { pushManager } = await navigator.serviceWorker.ready;
  await (await pushManager.getSubscription())?.unsubscribe();
  const { endpoint = "", keys = {} } = (await subscribe(pushManager, key)).toJSON();

  return { name: describeBrowser(navigator.userAgent), endpoint, p256dh: keys["p256dh"] ?? "", auth: keys["auth"] ?? "" };
};

export const unsubscribeBrowser = async (): Promise<void> => {
  await (await findSubscription())?.unsubscribe();
};
